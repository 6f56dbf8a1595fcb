module github.com/opwright/opwright/go

go 1.24
