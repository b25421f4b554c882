/// The name and the arguments of a command: help, completion and the parser all read this.
public struct CommandSpecification: Sendable {
    public let name: CommandName
    /// `SITE [FIELD=VALUE …]`.
    public let usage: String
    public let summary: String
    let arguments: ClosedRange<Int>
    public let options: [OptionSpecification]
    public let examples: [String]
    /// Lines with hints that are not obvious.
    let notes: [String]
    /// Where it makes sense: in a shell, as a command of its own, or in both.
    let availability: Availability

    enum Availability: Sendable {
        case everywhere
        case shellOnly
        case oneShotOnly
    }

    init(
        _ name: CommandName, usage: String = "", arguments: ClosedRange<Int> = 0...0, about summary: String,
        options: [OptionSpecification] = [], examples: [String] = [], notes: [String] = [],
        availability: Availability = .everywhere
    ) {
        self.name = name
        self.usage = usage
        self.arguments = arguments
        self.summary = summary
        self.options = options
        self.examples = examples
        self.notes = notes
        self.availability = availability
    }
}

/// An option of a command: `--status STATUS`, or a flag without a value.
public struct OptionSpecification: Sendable, Hashable {
    public let name: String
    /// The placeholder for the value in the help; `nil` for a flag.
    public let value: String?
    public let summary: String
    let isRepeated: Bool

    init(_ name: String, value: String? = nil, isRepeated: Bool = false, about summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
        self.isRepeated = isRepeated
    }
}
