"""The site: pages made from the committed notebooks, the landing page, the slides, and a check of every link."""
