-- One number per held list that tells who has which standing rating on it, so that two lists can be compared without
-- reading them. Person and rating are packed into one number before they are hashed: the hash of two values is made
-- of their two hashes in a way that, combined over a list, does not notice two persons who exchange their ratings.
select
    entries.list_key,
    bit_xor(hash(entries.player_id::bigint * 4096 + coalesce(disputed.rating, entries.rating))) as combined_hash,
    count(*)::integer as rated_count
from core.entries as entries
left join intermediate.disputed_ratings as disputed
    on disputed.list_key = entries.list_key and disputed.player_id = entries.player_id
where entries.rating is not null
group by entries.list_key
