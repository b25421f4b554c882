/// What somebody gave for an answer.
struct GivenAnswer {
    let text: String
    /// What it was made of, where nobody types it again from memory.
    var written: WrittenText?

    /// The answer is taken away.
    static let cleared = GivenAnswer(text: "")
}
