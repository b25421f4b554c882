/// The help, written from the catalogue.
public enum HelpText {
    public static func text(_ topic: CommandName?) -> String {
        guard let topic else { return overview }
        let specification = CommandCatalogue.specification(of: topic)
        var lines = [specification.usageLine, sentence(specification.summary)]
        if !specification.options.isEmpty {
            lines.append("")
            lines += table(specification.options.map { (option($0), $0.summary) })
        }
        if !specification.notes.isEmpty { lines += [""] + specification.notes }
        if !specification.examples.isEmpty {
            lines += ["", "For example:"] + specification.examples.map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// All commands, and what every one-shot command takes.
    public static var overview: String {
        let commands = CommandCatalogue.all.map { specification in
            (specification.nameAndUsage, specification.summary)
        }
        var lines = ["Commands; each may be shortened, and RECORD is its number in the last list, or its id:"]
        lines += table(commands, width: 30)
        lines += ["", "As commands of their own (fieldbook COMMAND …) they also take:"]
        lines += table(CommandCatalogue.common.map { (option($0), $0.summary) }, width: 30)
        lines += ["", "More about a command: help COMMAND"]
        lines += ["For developers and operators, any database folder: fieldbook db --help"]
        return lines.joined(separator: "\n")
    }

    private static func option(_ option: OptionSpecification) -> String {
        [option.name, option.value].compactMap(\.self).joined(separator: " ")
    }

    private static func table(_ rows: [(String, String)], width: Int = 26) -> [String] {
        var lines: [String] = []
        for (name, text) in rows {
            if name.count <= width {
                lines.append("  " + name + String(repeating: " ", count: width - name.count + 2) + text)
            } else {
                lines.append("  " + name)
                lines.append(String(repeating: " ", count: width + 4) + text)
            }
        }
        return lines
    }

    private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }
}
