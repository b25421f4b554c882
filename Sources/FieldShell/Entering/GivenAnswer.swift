/// An answer as the user gave it.
struct GivenAnswer {
    let text: String
    /// The text on the disk, if it is too long to be typed again from memory.
    var written: WrittenText?

    /// The answer is taken away.
    static let cleared = GivenAnswer(text: "")
}
