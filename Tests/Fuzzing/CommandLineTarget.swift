@testable import FieldShell

extension FuzzTarget {
    /// What a person types.
    static let commandLine = FuzzTarget(
        name: "command-line",
        seeds: {
            [
                "list inspections --status open --district 94110", "new finding \"a b\" text='x y' severity=high",
                "edit site-10 name=Bar", "help lis", "sync --once", "export csv --folder=/tmp",
                "form export a@1 --format x", "quarantine list", "show site\\ 10 --json", "find x -- --y",
            ].map { Array($0.utf8) }
        }
    ) { bytes in
        let line = text(bytes)
        let tokens = (try? LineText.split(line)) ?? line.split(separator: " ").map(String.init)
        let again = tokens.map(LineText.quoted).joined(separator: " ")
        check((try? LineText.split(again)) == tokens, "quoted words are split otherwise: \(again)")
        _ = try? CommandParser.parse(tokens: tokens, in: .oneShot)
        _ = try CommandParser.parse(line: line)
    }
}
