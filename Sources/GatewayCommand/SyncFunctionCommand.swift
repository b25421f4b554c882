import ArgumentParser
import DocumentValues
import Foundation
import GatewayServer

/// `fieldbook-gateway sync-function`
struct SyncFunctionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync-function", abstract: "Shows how a sync function treats a document.",
        subcommands: [Try.self])

    struct Try: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs a collection's sync function on a document, and stores nothing.",
            discussion: """
                DOCUMENT is a file with a JSON object that has an _id, - for standard input, or the id of a stored document
                with --stored. Without --user it runs for an administrator, who passes every require….
                Exit status 1 when the document would be refused.

                Example:  fieldbook-gateway sync-function try --collection field.inspections --user mara \
                --stored i-2041 --config gateway.yaml --database field
                """)
        @OptionGroup var options: AdminOptions

        @Argument(help: "A file with the document, - for standard input; with --stored the id of a document.")
        var document: String

        @Flag(help: "DOCUMENT is the id of a document that the gateway has.")
        var stored = false

        @Option(help: "scope.collection")
        var collection: String

        @Option(help: "The user who writes it; an administrator without it.")
        var user: String?

        @Option(help: "A file with another sync function, to be tried before it is set.")
        var function: String?

        @Flag(help: "One JSON object.")
        var json = false

        func validate() throws { _ = try name() }

        private func name() throws -> CollectionName {
            guard let name = try? CollectionName(parsing: collection) else {
                throw ValidationError("'\(collection)' is not of the form scope.collection")
            }
            return name
        }

        func run() async throws {
            let (name, question) = (try name(), try question())
            try await options.run { client in
                let verdict = try await AdminDatabase(options.database, client: client).trySyncFunction(
                    question, in: name)
                if json { Output.json(verdict) } else { TrialReport(verdict).lines.forEach(Output.line) }
                guard verdict["accepted"]?.boolValue == true else { throw ExitCode(1) }
            }
        }

        private func question() throws -> JSONObject {
            var question: JSONObject = [:]
            if stored {
                question["id"] = .string(document)
            } else {
                let label = document == "-" ? "Standard input" : document
                do {
                    question["document"] = .object(try JSONObject(parsing: Array(try NamedFile.content(of: document))))
                } catch let error as JSONError {
                    throw Failure("\(label) is no JSON object: \(error)")
                }
            }
            question["user"] = user.map { .string($0) }
            if let function { question["sync"] = .string(try NamedFile.function(of: function)) }
            return question
        }
    }
}

/// The result of a trial, for people.
private struct TrialReport {
    let verdict: JSONObject

    init(_ verdict: JSONObject) { self.verdict = verdict }

    var lines: [String] {
        var lines = [headline]
        if let replaced = verdict["replaces"]?.stringValue { lines.append("  replaces  \(replaced)") }
        if let failure = verdict["failure"]?.stringValue { lines.append("  failure   \(failure)") }
        guard verdict["accepted"]?.boolValue == true else { return lines }
        let channels = names(verdict["channels"])
        lines.append("  channels  \(channels.isEmpty ? "none" : channels.joined(separator: ", "))")
        lines += grants("access", of: "access") + grants("roles", of: "roles")
        if let expires = verdict["expires"]?.integerValue {
            lines.append("  expires   \(LocalTime.text(Date(timeIntervalSince1970: Double(expires))))")
        }
        return lines
    }

    private var headline: String {
        let id = verdict["id"]?.stringValue ?? ""
        guard verdict["accepted"]?.boolValue != true else { return "\(id) would be accepted" }
        let status = verdict["status"]?.integerValue.map { "\($0) " } ?? ""
        return "\(id) would be refused: \(status)\(verdict["reason"]?.stringValue ?? "")"
    }

    private func names(_ list: JSONValue?) -> [String] { (list?.arrayValue ?? []).compactMap(\.stringValue) }

    private func grants(_ label: String, of member: String) -> [String] {
        (verdict[member]?.objectValue ?? [:]).map { grant in
            "  \(label.padding(toLength: 8, withPad: " ", startingAt: 0))  "
                + "\(grant.key): \(names(grant.value).joined(separator: ", "))"
        }
    }
}
