import DocumentValues

/// The functions of expressions, by their names.
package enum FormFunction: String, Sendable, Hashable, CaseIterable {
    case `if`
    case coalesce, once, position, boolean, not
    case `true`
    case `false`
    case booleanFromString = "boolean-from-string"
    case current, instance, depend, version, property
    case selected
    case selectedAt = "selected-at"
    case countSelected = "count-selected"
    case choiceName = "jr:choice-name"
    case itext = "jr:itext"
    case count
    case countNonEmpty = "count-non-empty"
    case sum, min, max, concat, join
    case indexedRepeat = "indexed-repeat"
    case randomize, pulldata
    case string, number, contains
    case startsWith = "starts-with"
    case endsWith = "ends-with"
    case substr
    case substringBefore = "substring-before"
    case substringAfter = "substring-after"
    case translate
    case stringLength = "string-length"
    case normalizeSpace = "normalize-space"
    case regex, digest
    case base64Decode = "base64-decode"
    case extractSigned = "extract-signed"
    case uuid, int, round, pow, exp, exp10, log, log10, sqrt, abs, sin, cos, tan, asin, acos, atan, atan2, pi, random
    case checklist
    case weightedChecklist = "weighted-checklist"
    case floor, ceiling, substring, last
    case today, now, date
    case dateTime = "date-time"
    case decimalDateTime = "decimal-date-time"
    case decimalTime = "decimal-time"
    case formatDate = "format-date"
    case formatDateTime = "format-date-time"
    case distance, area, geofence, intersects

    /// Other names of the same.
    private static let aliases: KeyValuePairs<String, FormFunction> = [
        "is-selected": .selected, "enclosed-area": .area,
    ]

    private static let byName: [Name: FormFunction] = {
        var all: [Name: FormFunction] = [:]
        for function in allCases { all[Name(function.rawValue)] = function }
        for (name, function) in aliases { all[Name(name)] = function }
        return all
    }()

    package init?(name: String) {
        guard let function = Self.byName[Name(name)] else { return nil }
        self = function
    }

    /// All names, aliases included.
    package static var names: [String] { allCases.map(\.rawValue) + aliases.map(\.key) }

    /// How many arguments it takes.
    package var arguments: ClosedRange<Int> {
        switch self {
        case .true, .false, .current, .version, .pi, .random, .last, .today, .now: 0...0
        case .position, .stringLength, .normalizeSpace, .uuid: 0...1
        case .once, .boolean, .not, .booleanFromString, .instance, .property, .countSelected, .itext, .count,
            .countNonEmpty, .sum, .string, .number, .base64Decode, .int, .exp, .exp10, .log, .log10, .sqrt, .abs, .sin,
            .cos, .tan, .asin, .acos, .atan, .floor, .ceiling, .date, .dateTime, .decimalDateTime, .decimalTime, .area,
            .intersects:
            1...1
        case .randomize, .round: 1...2
        case .coalesce, .selected, .selectedAt, .choiceName, .contains, .startsWith, .endsWith, .substringBefore,
            .substringAfter, .regex, .extractSigned, .pow, .atan2, .formatDate, .formatDateTime, .geofence:
            2...2
        case .substr, .digest, .substring: 2...3
        case .if, .translate: 3...3
        case .pulldata: 4...4
        case .indexedRepeat: 3...7
        case .concat: 0...Int.max
        case .depend, .min, .max, .join, .distance: 1...Int.max
        case .checklist: 2...Int.max
        case .weightedChecklist: 4...Int.max
        }
    }

    /// Whether so many arguments are right; some functions take them in pairs.
    func takes(_ count: Int) -> Bool {
        guard arguments.contains(count) else { return false }
        return switch self {
        case .indexedRepeat: count % 2 == 1
        case .weightedChecklist: count % 2 == 0
        default: true
        }
    }

    /// The arguments, counted from 0, that must be paths or other sets of nodes.
    var nodeArguments: [Int] {
        switch self {
        case .count, .countNonEmpty, .sum, .randomize: [0]
        case .indexedRepeat: [0, 1, 3, 5]
        default: []
        }
    }

    /// Whether its result is a set of nodes.
    package var givesNodes: Bool {
        switch self {
        case .current, .instance, .randomize, .indexedRepeat: true
        default: false
        }
    }
}
