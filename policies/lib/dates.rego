# METADATA
# title: Dates
# description: Days as people write them, yyyy-mm-dd, compared with the day of collecting.
# schemas:
#   - input: schema.facts
package gpugate.lib.dates

# today is the day the facts were collected, or the one asked for with --as-of.
today := substring(input.collectedAt, 0, 10)

# valid holds for a date in the one form.
valid(day) if regex.match(`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`, day)

# future holds for a day after today.
future(day) if {
	valid(day)
	day > today
}

# past holds for a day before today: what ends today still holds today.
past(day) if {
	valid(day)
	day < today
}
