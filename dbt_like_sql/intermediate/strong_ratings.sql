-- Ratings of 2300 or more that stand, where editions contradict each other: who gained most, or was the youngest, must
-- not rest on a value that the review overrules. In two parts, so that whole lists are not joined with the few disputes.
select list_key, player_id, rating, games, active
from core.entries
anti join intermediate.disputed_ratings using (list_key, player_id)
where rating >= 2300
union all
select entries.list_key, entries.player_id, disputed.rating, entries.games, entries.active
from intermediate.disputed_ratings as disputed
inner join core.entries as entries
    on entries.list_key = disputed.list_key and entries.player_id = disputed.player_id
where disputed.rating >= 2300
