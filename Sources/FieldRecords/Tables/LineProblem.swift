/// Why no record can be made of a line.
struct LineProblem: Error {
    let reason: String
}
