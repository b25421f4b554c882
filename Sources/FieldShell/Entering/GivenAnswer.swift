/// What somebody gave for an answer.
struct GivenAnswer {
    let text: String
    /// In the editor: nobody types it again from memory.
    var isWritten = false

    /// The answer is taken away.
    static let cleared = GivenAnswer(text: "")
}
