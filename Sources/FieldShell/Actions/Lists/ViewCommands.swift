import DocumentValues
import FieldRecords

/// Keeps lists under a name, and shows them.
struct ViewCommands {
    let session: ShellSession

    /// - Parameter show: runs the command of a view.
    func run(_ action: ViewAction, show: (ShellCommand) async throws -> CommandResult) async throws -> CommandResult {
        let views = try session.field().views
        switch action {
        case .list: return .form(try list(views))
        case .save(let name, let tokens):
            try views.save(name, tokens: tokens)
            return .done(Done("Kept as \(name). Show it: view \(name)", object: ["view": .string(name)]))
        case .remove(let name):
            guard try views.remove(name) else { throw try missing(name, among: views) }
            return .done(Done("The view \(name) is gone.", object: ["view": .string(name)]))
        case .show(let name):
            guard let view = try views.all().first(where: { $0.name.isExactly(name) }) else {
                throw try missing(name, among: views)
            }
            guard let command = try CommandParser.parse(tokens: view.tokens.map(\.text), in: .shell).command.listing
            else {
                throw UsageError(
                    "The view \(name) shows no list any more.", hint: "Make it again: view save \(name) list …")
            }
            return try await show(command)
        }
    }

    private func list(_ views: SavedViews) throws -> FormOutput {
        let all = try views.all()
        guard !all.isEmpty else {
            return FormOutput(lines: ["No list is kept. Keep one: view save NAME list …"], objects: [])
        }
        let lines = TextTable(columns: ["VIEW", "LIST"], rows: all.map { [$0.name, Self.line($0)] })
            .lines(width: session.dialogue.columns)
        return FormOutput(
            lines: lines, objects: all.map { ["view": .string($0.name), "line": .string(Self.line($0))] })
    }

    /// As it would be typed.
    private static func line(_ view: SavedViews.View) -> String {
        view.tokens.map { word in
            word.text.utf8.contains(UInt8(ascii: " ")) ? "\"\(word.text)\"" : word.text
        }.joined(separator: " ").printableLine
    }

    private func missing(_ name: String, among views: SavedViews) throws -> UsageError {
        let near = ChoiceMatch.nearest(to: name, among: try views.all().map(\.name))
        return UsageError(
            "There is no view '\(name)'.",
            hint: near.isEmpty ? "All of them: view list" : "Did you mean \(near.joined(separator: " or "))?")
    }
}
