"""The pages of the site, one module each. A module holds SQL, words and charts; ``dashboards.contents`` orders them."""
