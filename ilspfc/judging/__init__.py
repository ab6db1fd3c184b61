"""Human judgment of a corpus by samples, as in section 5 of the founding paper (000)."""
