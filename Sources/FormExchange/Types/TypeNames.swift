import DocumentValues
import FormLogic

/// The names of types without a list, those of older forms included.
enum TypeNames {
    static let plain: [Name: QuestionType.PlainType] = {
        let own = QuestionType.PlainType.allCases.map { (Name($0.rawValue), $0) }
        return Dictionary(uniqueKeysWithValues: own + aliases.map { (Name($0.0), $0.1) })
    }()

    private static let aliases: [(String, QuestionType.PlainType)] = [
        ("string", .text), ("int", .integer), ("datetime", .dateTime), ("date time", .dateTime), ("gps", .geopoint),
        ("location", .geopoint), ("photo", .image), ("trigger", .acknowledge), ("start time", .start),
        ("end time", .end), ("get start time", .start), ("get end time", .end), ("get today", .today),
        ("imei", .deviceid), ("device id", .deviceid), ("get device id", .deviceid), ("uri:imei", .uriDeviceid),
        ("subscriber id", .subscriberid), ("get subscriber id", .subscriberid), ("sim id", .simserial),
        ("get sim id", .simserial), ("get phone number", .phonenumber),
    ]

    /// Whole numbers from 0 to the number here.
    static let counts: [Name: Int] = [
        Name("percentage"): 100, Name("number of days in last month"): 31,
        Name("number of days in last six months"): 183, Name("number of days in last year"): 365,
    ]

    /// Behind the list of a select.
    static let other = ["or_other", "or other", "or specify other"]

    /// Types that other programs know, and the way out.
    static let refused: [Name: String] = [
        Name("osm"): "ask for a position or a file instead",
        Name("begin loop"): "write a repeat, or a group for each",
        Name("cascading_select"): "write a select_one with a choice_filter for each level",
        Name("background-audio"): "ask for an audio instead",
        Name("begin_kobomatrix"): "write a group with a question for each cell",
        Name("begin_score"): "write a select_one for each row", Name("score__row"): "write a select_one for each row",
        Name("begin_rank"): "write a question of the type rank",
        Name("rank__level"): "write a question of the type rank",
    ]

    static var all: [String] { plain.keys.map(\.text).sorted() + SelectCommand.names + ["group", "repeat"] }
}

/// Why a text is no type of a question.
package struct TypeProblem: Error, Sendable, Hashable {
    @Exact package var message: String
    @Exact package var hint: String?
    let code: FindingCode

    init(unknown text: String) {
        code = .unknownType
        if let advice = TypeNames.refused[Name(text)] {
            message = "'\(text)' cannot be asked here."
            hint = "\(advice.prefix(1).uppercased())\(advice.dropFirst())."
        } else {
            message = text.isEmpty ? "a type of question is missing." : "'\(text)' is no type of question."
            hint = text.isEmpty ? "Write one in front of the name, such as 'text'." : Self.near(text)
        }
    }

    /// A type where type and name belong.
    init(noName type: String) {
        code = .missingText
        message = "a question of the type '\(type)' has no name."
        hint = "Write it behind the type: '\(type) remarks'."
    }

    init(noList command: String) {
        code = .unknownType
        message = "'\(command)' has no list of choices."
        hint = "Write its name behind it."
    }

    init(behindList text: String, list: String) {
        code = .unknownType
        message = "'\(text)' follows the list '\(list)'."
        hint = "Only 'or_other' may."
    }

    private static func near(_ text: String) -> String? {
        // A list may follow the type: only its beginning is compared then.
        NearName.hint(text, among: TypeNames.all)
            ?? text.split(atByte: " ").first.flatMap { NearName.hint(String($0), among: TypeNames.all) }
    }
}
