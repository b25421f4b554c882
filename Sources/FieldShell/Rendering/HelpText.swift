/// The help, written from the catalogue.
public enum HelpText {
    /// - Parameter width: cells of a line.
    public static func text(_ topic: CommandName?, width: Int) -> String {
        guard let topic else { return overview(width: width) }
        let specification = CommandCatalogue.specification(of: topic)
        var lines = [specification.usageLine, sentence(specification.summary)]
        if !specification.options.isEmpty {
            lines.append("")
            lines += table(specification.options.map { (option($0), $0.summary) }, width: width)
        }
        if !specification.notes.isEmpty {
            lines += [""] + specification.notes.joined(separator: " ").wrapped(to: width)
        }
        if !specification.examples.isEmpty {
            lines += ["", "For example:"] + specification.examples.map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// All commands, and the options of every one-shot command.
    static func overview(width: Int) -> String {
        let commands = CommandCatalogue.all.map { specification in
            (specification.nameAndUsage, specification.summary)
        }
        var lines = ["Commands; each may be shortened, and RECORD is its number in the last list, or its id:"]
        lines += table(commands, width: width, column: 30)
        lines += ["", "As commands of their own (fieldbook COMMAND …) they also take:"]
        lines += table(CommandCatalogue.common.map { (option($0), $0.summary) }, width: width, column: 30)
        lines += ["", "More about a command: help COMMAND"]
        lines += ["For developers and operators, any database folder: fieldbook db --help"]
        return lines.joined(separator: "\n")
    }

    private static func option(_ option: OptionSpecification) -> String {
        [option.name, option.value].compactMap(\.self).joined(separator: " ")
    }

    /// Names with their meanings beside them, or below them if the name is long or the screen is narrow.
    private static func table(_ rows: [(String, String)], width: Int, column: Int = 26) -> [String] {
        let isNarrow = width < column + 30
        return rows.flatMap { name, text -> [String] in
            if !isNarrow, name.count <= column {
                return ("  " + name.padded(to: column) + "  " + text).wrapped(to: width, hanging: column + 2)
            }
            let margin = String(repeating: " ", count: isNarrow ? 6 : column + 4)
            return ("  " + name).wrapped(to: width, hanging: 4) + (margin + text).wrapped(to: width)
        }
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
