module service

go 1.24
