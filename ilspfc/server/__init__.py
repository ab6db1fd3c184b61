"""The web application over corpora: see, try and judge."""
