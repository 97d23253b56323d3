module moonpack

go 1.24
