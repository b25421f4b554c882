import DocumentValues
import FieldModels
import FieldRecords

/// Turns tokens into a command. Commands, kinds and options may be shortened as long as they are not ambiguous.
public enum CommandParser {
    /// Where the tokens come from decides which commands there are.
    public enum Origin: Sendable, Hashable {
        case shell
        case oneShot
    }

    /// - Returns: `nil` for a line without tokens.
    public static func parse(line: String) throws(UsageError) -> ParsedCommand? {
        var tokens = try LineText.tokens(line)
        // As it is typed outside the shell.
        if tokens.first?.text == "fieldbook", tokens.count > 1 { tokens.removeFirst() }
        if tokens.count == 1 { try checkIsNoAnswer(tokens[0].text) }
        return tokens.isEmpty ? nil : try parse(tokens, in: .shell)
    }

    /// A second answer after a question is no beginning of a command: otherwise the next line would answer the question of
    /// that command.
    private static func checkIsNoAnswer(_ token: String) throws(UsageError) {
        switch token.lowercased() {
        case "y", "yes", "n", "no":
            throw UsageError("Nothing is asked here, so '\(token)' is no answer.", hint: "All commands: help")
        case "q": throw UsageError("Nothing more is shown here that 'q' could end.", hint: "Leave the shell: quit")
        default: return
        }
    }

    public static func parse(tokens: [String], in origin: Origin) throws(UsageError) -> ParsedCommand {
        try parse(tokens.map { LineToken($0) }, in: origin)
    }

    private static func parse(_ tokens: [LineToken], in origin: Origin) throws(UsageError) -> ParsedCommand {
        guard let first = tokens.first?.text else { throw UsageError("Say what to do.", hint: "Commands: help") }
        let name = try name(first, in: origin)
        let specification = CommandCatalogue.specification(of: name)
        let line = try ParsedLine(tokens.dropFirst(), specification: specification)
        if line.flags.contains("--help") { return ParsedCommand(.help(name), line: line) }
        try checkCount(line.arguments.count, specification: specification)
        return ParsedCommand(try CommandBuilder(line: line, name: name).command(), line: line)
    }

    /// Options may be before the command: `--folder DIR today`. Options alone are for the shell.
    static func withCommandFirst(_ tokens: [String]) -> [String] {
        var options: [String] = []
        var rest = tokens[...]
        while let token = rest.first, token.utf8.starts(with: "--".utf8) {
            options.append(rest.removeFirst())
            let takesValue = CommandCatalogue.common.contains { option in
                guard option.value != nil, token.utf8.count > 2 else { return false }
                return option.name.utf8.starts(with: token.utf8)
            }
            if takesValue, let value = rest.popFirst() { options.append(value) }
        }
        return [rest.popFirst() ?? "shell"] + options + rest
    }

    private static func name(_ token: String, in origin: Origin) throws(UsageError) -> CommandName {
        let names = CommandCatalogue.all.filter { $0.isAvailable(in: origin) }.map(\.name.rawValue)
        // Commands that people type from habit.
        let habits = ["exit": "quit", "ls": "list", "rm": "delete", "?": "help", "cat": "show", "add": "new"]
        let token = habits[token.lowercased()] ?? token
        if let elsewhere = CommandName(rawValue: token), !names.contains(token) {
            throw UsageError(
                origin == .shell
                    ? "'\(token)' is not for the shell: leave it and type fieldbook \(elsewhere.rawValue)."
                    : "'\(token)' is for the shell only.")
        }
        let text = try choose(token, among: names, what: "command", hint: "All commands: help")
        guard let name = CommandName(rawValue: text) else { preconditionFailure("the list is of names") }
        return name
    }

    private static func checkCount(_ count: Int, specification: CommandSpecification) throws(UsageError) {
        guard !specification.arguments.contains(count) else { return }
        let isShort = count < specification.arguments.lowerBound
        let what = isShort ? "needs more arguments" : "takes fewer arguments"
        throw UsageError(
            "'\(specification.name.rawValue)' \(what).",
            hint: specification.usageLine + (isShort ? "" : adviceOnTooMany(specification.name)))
    }

    private static func adviceOnTooMany(_ name: CommandName) -> String {
        switch name {
        case .list: ". To search: find TEXT"
        // As cameras and file managers name files.
        case .attach, .export: ". Put a name with spaces in quotation marks."
        default: ""
        }
    }

    /// - Throws: `UsageError` with the likely choices.
    static func choose(
        _ text: String, among choices: [String], what: String, hint: String? = nil
    ) throws(UsageError) -> String {
        switch ChoiceMatch.find(text, among: choices) {
        case .found(let found): return found
        case .ambiguous(let several):
            throw UsageError("'\(text)' can be \(several.joined(separator: ", ")).", hint: "Type more of it.")
        case .unknown(let nearest):
            let guess = nearest.isEmpty ? hint : "Did you mean \(nearest.joined(separator: " or "))?"
            throw UsageError("There is no \(what) '\(text)'.", hint: guess)
        }
    }
}

/// A command with the options that every command has.
public struct ParsedCommand: Sendable, Hashable {
    public let command: ShellCommand
    public let common: CommonOptions

    init(_ command: ShellCommand, line: ParsedLine) {
        self.command = command
        common = CommonOptions(
            folder: line.options["--folder"]?.last, passphraseFile: line.options["--passphrase-file"]?.last,
            isJSON: line.flags.contains("--json"), asksNothing: line.flags.contains("--yes"),
            isWhole: line.flags.contains("--all"))
    }
}

public struct CommonOptions: Sendable, Hashable {
    public var folder: String?
    public var passphraseFile: String?
    public var isJSON = false
    public var asksNothing = false
    /// Shown all at once, not page by page.
    public var isWhole = false
}

extension CommandSpecification {
    func isAvailable(in origin: CommandParser.Origin) -> Bool {
        switch (availability, origin) {
        case (.everywhere, _), (.shellOnly, .shell), (.oneShotOnly, .oneShot): true
        case (.shellOnly, .oneShot), (.oneShotOnly, .shell): false
        }
    }

    /// `Use: edit RECORD [FIELD=VALUE …]`.
    public var usageLine: String { "Use: " + nameAndUsage }

    var nameAndUsage: String { usage.isEmpty ? name.rawValue : "\(name.rawValue) \(usage)" }
}

/// Tokens sorted into arguments, options with values, and flags.
struct ParsedLine {
    var arguments: [String] = []
    /// The same as they were typed.
    private var written: [String] = []
    var options: [String: [String]] = [:]
    /// The options with values in the order in which they were typed.
    private(set) var ordered: [(option: String, value: String)] = []
    var flags: Set<String> = []

    init(_ tokens: ArraySlice<LineToken>, specification: CommandSpecification) throws(UsageError) {
        let known =
            specification.options + CommandCatalogue.common + [OptionSpecification("--help", about: "how it is used")]
        var tokens = tokens
        var endsOptions = false
        while let token = tokens.popFirst() {
            if endsOptions || !token.text.hasExactPrefix("--") {
                arguments.append(token.text)
                written.append(token.written)
            } else if token.text == "--" {
                endsOptions = true
            } else {
                try add(token.text, known: known, tokens: &tokens)
            }
        }
    }

    /// The arguments from one on as the typed text, with the quotation marks in it. Where all of it is in quotation
    /// marks, these are not part of it.
    func text(from index: Int) -> String {
        arguments.count == index + 1 ? arguments[index] : written.dropFirst(index).joined(separator: " ")
    }

    private mutating func add(
        _ token: String, known: [OptionSpecification], tokens: inout ArraySlice<LineToken>
    ) throws(UsageError) {
        let parts = token.split(atByte: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = try CommandParser.choose(parts[0], among: known.map(\.name), what: "option")
        guard let option = known.first(where: { $0.name == name }) else { return }
        guard option.value != nil else {
            guard parts.count == 1 else { throw UsageError("The option \(name) takes no value.") }
            flags.insert(name)
            return
        }
        guard let value = parts.count == 2 ? parts[1] : tokens.popFirst()?.text else {
            throw UsageError("The option \(name) needs a value: \(name) \(option.value ?? "").")
        }
        if !option.isRepeated, options[name] != nil { throw UsageError("The option \(name) is there twice.") }
        options[name, default: []].append(value)
        ordered.append((name, value))
    }
}
