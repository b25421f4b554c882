import DocumentValues

/// A line typed at a question: an answer, or one of the few signs that steer.
enum AnswerLine: Equatable {
    case answer(String)
    /// `+ text`: one more line of an answer that is there.
    case add(String)
    /// An empty line: the question stays as it is.
    case skip
    /// `.`: no more questions.
    case stop
    /// `<`: the question before.
    case back
    /// `?`: explains the question, and the possible answers.
    case explain
    /// `-`: the answer is taken away.
    case clear
    /// `:all`: the questions with their answers.
    case overview
    /// `:go 3` or `:go notes`.
    case go(String)
    /// `:edit`: the answer in an editor.
    case editor
    /// `:something`, which may be a slip.
    case unknown(String)

    /// - Parameter line: without white space at its ends. A text that begins with a colon is typed with two.
    init(_ line: String) {
        switch line {
        case "": self = .skip
        case ".": self = .stop
        case "<", ":back": self = .back
        case "?", ":help": self = .explain
        case "-", ":clear": self = .clear
        case ":all": self = .overview
        case ":edit": self = .editor
        case ":skip": self = .skip
        case ":done": self = .stop
        default:
            if line.utf8.starts(with: "::".utf8) {
                self = .answer(String(decoding: line.utf8.dropFirst(), as: UTF8.self))
            } else if line.utf8.starts(with: ":go ".utf8) {
                self = .go(String(decoding: line.utf8.dropFirst(4), as: UTF8.self).trimmingSpaces)
            } else if line.utf8.starts(with: "+ ".utf8) {
                self = .add(String(decoding: line.utf8.dropFirst(2), as: UTF8.self).trimmingSpaces)
            } else if line.utf8.first == UInt8(ascii: ":") {
                self = .unknown(line)
            } else {
                self = .answer(line)
            }
        }
    }

    static let signs = "Enter skips, < goes back, ? explains, . stops; Ctrl-C keeps what you have."
}
