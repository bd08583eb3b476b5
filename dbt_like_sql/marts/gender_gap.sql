-- Share of women, and whether the gap at the top is more than numbers alone explain. Were the women a random sample
-- of all players, the j-th best woman would on average have rank j (N + 1) / (w + 1) among all N (the mean of the
-- negative hypergeometric distribution); likewise for men. The expected gap compares ratings at these ranks.
with
lists as (
    select lists.list_key, lists.publisher, lists.rating_type, lists.list_date
    from staging.held_lists as lists
    inner join intermediate.list_features as features on features.list_key = lists.list_key
    where lists.coverage = 'complete' and features.states_sex
),

counts as materialized (
    select
        counts.list_key,
        counts.rating,
        sum(counts.player_count) as players,
        sum(counts.women_count) as women,
        sum(counts.player_count) - sum(counts.women_count) as men
    from intermediate.rating_counts as counts
    inner join lists on lists.list_key = counts.list_key
    group by counts.list_key, counts.rating
),

cumulated as materialized (
    select
        *,
        sum(players) over higher as players_down_to,
        sum(women) over higher as women_down_to,
        sum(men) over higher as men_down_to
    from counts
    window higher as (partition by list_key order by rating desc)
),

totals as materialized (
    select
        list_key,
        sum(players) as players,
        sum(women) as women,
        sum(men) as men,
        sum(women * rating) / nullif(sum(women), 0) as mean_women,
        sum(men * rating) / nullif(sum(men), 0) as mean_men
    from counts
    group by list_key
    -- Before 1999 lists mark few women or none; under one in a hundred the flag is taken for incomplete.
    having sum(women) >= 0.01 * sum(players) and sum(women) >= 100
),

tops as (
    select unnest([1, 10, 20, 50, 100]) as top_n
),

actual as (
    select
        cumulated.list_key,
        tops.top_n,
        sum(cumulated.rating * greatest(0, least(women, top_n - (women_down_to - women)))) / top_n as women_mean,
        sum(cumulated.rating * greatest(0, least(men, top_n - (men_down_to - men)))) / top_n as men_mean
    from cumulated
    cross join tops
    group by cumulated.list_key, tops.top_n
),

places as (
    select
        totals.list_key,
        unnest(range(1, 101)) as place,
        totals.players,
        totals.women,
        totals.men
    from totals
),

expected_ranks as (
    select
        list_key,
        place,
        least(players, round(place * (players + 1) / (women + 1))) as women_rank,
        least(players, round(place * (players + 1) / (men + 1))) as men_rank
    from places
),

-- Ratings below the rank expected of the hundredth woman are not looked up.
rank_spans as (
    select
        cumulated.list_key,
        cumulated.rating,
        cumulated.players_down_to - cumulated.players as above,
        cumulated.players_down_to as down_to
    from cumulated
    inner join totals on totals.list_key = cumulated.list_key
    where cumulated.players_down_to - cumulated.players <= 100 * (totals.players + 1) / (totals.women + 1) + 1
),

expected_ratings as (
    select ranks.list_key, ranks.place, women.rating as women_rating, men.rating as men_rating
    from expected_ranks as ranks
    inner join rank_spans as women
        on women.list_key = ranks.list_key
        and women.above < ranks.women_rank and women.down_to >= ranks.women_rank
    inner join rank_spans as men
        on men.list_key = ranks.list_key and men.above < ranks.men_rank and men.down_to >= ranks.men_rank
),

expected as (
    select ratings.list_key, tops.top_n, avg(ratings.men_rating) - avg(ratings.women_rating) as expected_gap
    from expected_ratings as ratings
    inner join tops on ratings.place <= tops.top_n
    group by ratings.list_key, tops.top_n
)

select
    lists.publisher,
    lists.rating_type,
    lists.list_date,
    actual.top_n::smallint as top_n,
    totals.players::integer as player_count,
    totals.women::integer as women_count,
    totals.women / totals.players as women_fraction,
    totals.mean_men,
    totals.mean_women,
    actual.men_mean as men_top_mean,
    actual.women_mean as women_top_mean,
    actual.men_mean - actual.women_mean as top_gap,
    expected.expected_gap,
    actual.men_mean - actual.women_mean - expected.expected_gap as unexplained_gap
from totals
inner join lists on lists.list_key = totals.list_key
inner join actual on actual.list_key = totals.list_key
inner join expected on expected.list_key = totals.list_key and expected.top_n = actual.top_n
