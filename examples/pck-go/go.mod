module shop

go 1.24
