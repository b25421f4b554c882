import DocumentValues
import FormLogic

/// A line typed in a conversation: an answer, or one of the commands.
enum TypedCommand: Sendable {
    case answer(String)
    /// An empty line.
    case enter
    case command(Verb, argument: String)
    /// `:something`, with the command that was probably meant.
    case unknown(String, near: String?)

    enum Verb: String, Sendable, CaseIterable {
        case clear, back, next, skip, go, all, add, drop, list, same, undo, help, why, edit, open, lang, note, file
        case done, quit
    }

    /// A text that begins with a colon is typed with two.
    init(_ line: String) {
        let text = line.trimmingSpaces
        switch text {
        case "": self = .enter
        case "-": self = .command(.clear, argument: "")
        case "<": self = .command(.back, argument: "")
        case ">": self = .command(.next, argument: "")
        case "?": self = .command(.help, argument: "")
        default:
            if text.hasExactPrefix("::") {
                self = .answer(String(decoding: text.utf8.dropFirst(), as: UTF8.self))
            } else if text.utf8.first == UInt8(ascii: ":") {
                self = Self.command(text)
            } else {
                self = .answer(line)
            }
        }
    }

    private static func command(_ text: String) -> TypedCommand {
        let bytes = text.utf8.dropFirst()
        let name = bytes.prefix { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A }
        let typed = String(decoding: name, as: UTF8.self).lowercased()
        if let verb = Verb(exactly: typed) {
            let argument = String(decoding: bytes.dropFirst(name.count), as: UTF8.self).trimmingSpaces
            return .command(verb, argument: argument)
        }
        let all = Verb.allCases.map(\.rawValue)
        let beginnings = typed.isEmpty ? [] : all.filter { $0.hasExactPrefix(typed) }
        let near = beginnings.count == 1 ? beginnings[0] : NearName.nearest(typed, among: all)
        return .unknown(String(decoding: text.utf8, as: UTF8.self), near: near.map { ":" + $0 })
    }

    static let help = [
        "Enter keeps the answer   - clears it   < and > go back and on   :skip leaves the question open",
        ":go NAME or NUMBER   :all shows the form   :undo takes the last answer back   :same as in the last record",
        ":add :drop :list instances of a repeat, :add NAME of another one   :edit in an editor   :open media   :note TEXT for the reviewer",
        ":why the rules   :lang CODE language   :done finalises   :quit leaves the draft   :: begins a text with a colon",
    ]
}
