import DocumentValues
import FormLogic

/// The type of a question as an author writes it, in a sheet's column `type` or before the name in YAML:
/// `select_one yes_no or_other`.
package struct TypeText: Sendable {
    package let type: QuestionType
    /// Whether a choice `other` and a question for its text are to be added.
    package let addsOther: Bool
    /// What an old type stands for besides its type: `percentage` is an integer with a constraint.
    package let constraint: String?

    package init(_ type: QuestionType, addsOther: Bool = false, constraint: String? = nil) {
        self.type = type
        self.addsOther = addsOther
        self.constraint = constraint
    }

    /// - Parameter text: parts are separated by any number of spaces.
    /// - Throws: `TypeProblem` for a type that does not exist or is not supported, or a select without its list.
    package init(parsing text: String) throws(TypeProblem) {
        let parts = text.split(atByte: " ").map(String.init)
        let whole = parts.joined(separator: " ")
        if let found = Self.plain(whole) {
            self = found
        } else if let command = SelectCommand(parts) {
            self = try Self.select(command)
        } else {
            throw TypeProblem(unknown: whole)
        }
    }

    private static func plain(_ text: String) -> TypeText? {
        if let type = TypeNames.plain[Name(text)] { return TypeText(.plain(type)) }
        if text == "phone number" { return TypeText(.text, constraint: #"regex(., '^\d*$')"#) }
        return TypeNames.counts[Name(text)].map {
            TypeText(.plain(.integer), constraint: ". >= 0 and . <= \($0)")
        }
    }

    private static func select(_ command: SelectCommand) throws(TypeProblem) -> TypeText {
        guard let source = command.rest.first else { throw TypeProblem(noList: command.text) }
        let ending = command.rest.dropFirst().joined(separator: " ")
        guard ending.isEmpty || TypeNames.other.contains(ending) else {
            throw TypeProblem(behindList: ending, list: source)
        }
        let choices = choices(source, of: command)
        return TypeText(.select(command.kind, from: choices), addsOther: !ending.isEmpty)
    }

    private static func choices(_ source: String, of command: SelectCommand) -> QuestionType.ChoiceSource {
        switch command.origin {
        case .file: return .file(Name(source))
        case .external: return .external(Name(source))
        case .list:
            guard source.hasPrefix("${"), source.hasSuffix("}") else { return .list(Name(source)) }
            return .answers(Name(source.utf8.dropFirst(2).dropLast().text))
        }
    }
}

extension Substring.UTF8View {
    fileprivate var text: Substring { Substring(self) }
}

/// The beginning of a select's type, and what follows it.
struct SelectCommand {
    enum Origin {
        case list
        case file
        case external
    }

    let kind: QuestionType.SelectKind
    let origin: Origin
    let text: String
    let rest: ArraySlice<String>

    init?(_ parts: [String]) {
        // The longest that fits: `select one from` begins with `select one`.
        for count in stride(from: min(parts.count, Self.mostParts), through: 1, by: -1) {
            let text = parts[..<count].joined(separator: " ")
            guard let (kind, origin) = Self.known[Name(text)] else { continue }
            self.kind = kind
            self.origin = origin
            self.text = text
            rest = parts[count...]
            return
        }
        return nil
    }

    private static let mostParts = 5

    private static let commands: [(String, QuestionType.SelectKind, Origin)] = [
        ("select_one", .one, .list), ("select1", .one, .list), ("select one", .one, .list),
        ("select one from", .one, .list), ("add select one prompt using", .one, .list),
        ("select_multiple", .multiple, .list), ("select multiple", .multiple, .list),
        ("select all that apply", .multiple, .list),
        ("select all that apply from", .multiple, .list),
        ("add select multiple prompt using", .multiple, .list),
        ("rank", .rank, .list),
        ("select_one_from_file", .one, .file), ("select one from file", .one, .file),
        ("select_multiple_from_file", .multiple, .file), ("select multiple from file", .multiple, .file),
        ("select_one_external", .one, .external), ("select one external", .one, .external),
    ]

    private static let known: [Name: (QuestionType.SelectKind, Origin)] = Dictionary(
        uniqueKeysWithValues: commands.map { (Name($0.0), ($0.1, $0.2)) })

    static var names: [String] { known.keys.map(\.text).sorted() }
}
