module moonpack/bench

go 1.24

require (
	github.com/tinylib/msgp v1.6.5
	google.golang.org/protobuf v1.36.12
	moonpack v0.0.0
)

require github.com/philhofer/fwd v1.2.0 // indirect

replace moonpack => ../
