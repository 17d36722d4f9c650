package gpugate.lib.dates_test

import data.gpugate.lib.dates

test_days if {
	every day in ["2026-11-30", "2026-01-01", "1999-12-31", "2024-02-29"] { dates.valid(day) }
	every day in ["2026-13-01", "2026-00-10", "2026-11-32", "2026-1-1", "30.11.2026", "x2026-11-30", "2026-11-30T12", ""] { not dates.valid(day) }
}

at(day) := {"collectedAt": sprintf("%sT12:00:00Z", [day])}

test_before_and_after_today if {
	dates.today == "2026-11-30" with input as at("2026-11-30")
	dates.future("2026-12-01") with input as at("2026-11-30")
	not dates.future("2026-11-30") with input as at("2026-11-30")
	not dates.future("2026-11-29") with input as at("2026-11-30")
	not dates.future("someday") with input as at("2026-11-30")
	dates.past("2026-11-29") with input as at("2026-11-30")
	not dates.past("2026-11-30") with input as at("2026-11-30")
	not dates.past("2026-12-01") with input as at("2026-11-30")
	not dates.past("1 May 2020") with input as at("2026-11-30")
}
