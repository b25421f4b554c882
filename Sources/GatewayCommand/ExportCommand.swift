import ArgumentParser
import DocumentValues
import Foundation
import GatewayServer

/// `fieldbook-gateway export`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a database's documents and attachments into a folder.",
        discussion: """
            The gateway has to run; documents that change during the export are written as they are when read. Attachments \
            have the names that their documents give them, such as door.png.

            At the end standard error names the sequence with which the next export goes on: --since SEQUENCE. Later \
            deletions are written with "_deleted", and documents that left every --channel with "_removed". Documents \
            that are damaged at the gateway are named there, and the exit status is 1.

            Example:
              fieldbook-gateway export --config gateway.yaml --database field --output export
              fieldbook-gateway export --config gateway.yaml --database field --output - \
            --collection field.sites --since 4711 --channel district.hill
            """)

    @OptionGroup var options: AdminOptions

    @Option(help: "The folder to write to; - writes one collection as lines of JSON to the standard output.")
    var output: String

    @Option(help: "csv, jsonl (one JSON object a line) or both; both without it.")
    var format: DatabaseExport.Format?

    @Option(help: "A collection (scope.collection); may be given several times. All without it.")
    var collection: [String] = []

    @Option(
        help: """
            Only documents changed since: a sequence, or a day (2026-03-01, UTC) by the changedAt or createdAt of the \
            documents, which is when people wrote them, not when they arrived.
            """)
    var since: String?

    @Option(help: "Only documents in this channel; may be given several times.")
    var channel: [String] = []

    @Flag(help: "Leaves out the attachments.")
    var noAttachments = false

    private var isToStandardOutput: Bool { output.isExactly("-") }

    func validate() throws {
        _ = try selection()
        if isToStandardOutput, let format, format != .jsonl {
            throw ValidationError("The standard output takes lines of JSON only; name a folder for \(format.rawValue).")
        }
    }

    private func selection() throws -> ExportSelection {
        if let wrong = channel.first(where: { $0.isEmpty || $0.utf8.contains(UInt8(ascii: ",")) }) {
            throw ValidationError("'\(wrong)' is no channel; give --channel once for each.")
        }
        let moment = try since.map { text in
            guard let since = ExportSelection.Since(text) else {
                throw ValidationError("--since takes a sequence or a day such as 2026-03-01; '\(text)' is neither.")
            }
            return since
        }
        return ExportSelection(since: moment, channels: channel.map { Name($0) })
    }

    func run() async throws {
        let selection = try selection()
        try await options.run { client in
            let export = DatabaseExport(client: client, database: options.database, selection: selection)
            let sequence = try await export.sequence()
            let damaged = try await isToStandardOutput ? writeLines(of: export) : writeFolder(of: export)
            // Not on standard output, which a program may read.
            GatewayCommandMain.report("The next export goes on from here with: --since \(sequence)")
            guard !damaged.isEmpty else { return }
            throw Failure(
                "These documents are damaged at the gateway, and all others are exported: "
                    + "\(damaged.joined(separator: ", ")). Restore a backup that has them intact")
        }
    }

    /// - Returns: documents that cannot be read: `field.sites site-4711`.
    private func writeFolder(of export: DatabaseExport) async throws -> [String] {
        let lines = try await export.run(
            collections: collection, into: output, format ?? .both, hasAttachments: !noAttachments)
        if !channel.isEmpty, since == nil, lines.allSatisfy({ $0.documents == 0 }) {
            GatewayCommandMain.report(
                "No document is in \(channel.count == 1 ? "the channel" : "the channels") "
                    + "\(channel.joined(separator: ", ")). The channel of a district is district.NAME")
        }
        for line in lines {
            let verb = line.gone == 1 ? "was" : "were"
            let gone = line.gone == 0 ? "" : ", \(line.gone) more \(verb) removed during the export"
            let documents = Self.count(line.documents, of: "document")
            let attachments = Self.count(line.attachments, of: "attachment")
            Output.line("\(line.collection): \(documents), \(attachments)\(gone)")
        }
        return lines.flatMap { line in line.unreadable.map { "\(line.collection) \($0.text)" } }
    }

    private static func count(_ number: Int, of thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    private func writeLines(of export: DatabaseExport) async throws -> [String] {
        let done = try await export.run(collections: collection) { line in
            do {
                // Control characters from clients must not move the cursor; as escapes they have the same meaning.
                let text = String(decoding: line, as: UTF8.self).printableJSON
                try FileHandle.standardOutput.write(contentsOf: Array(text.utf8) + [UInt8(ascii: "\n")])
            } catch {
                throw Failure("The standard output cannot be written: \(error.localizedDescription)")
            }
        }
        return done.unreadable.map { "\(done.collection) \($0.text)" }
    }
}

extension DatabaseExport.Format: ExpressibleByArgument {}
