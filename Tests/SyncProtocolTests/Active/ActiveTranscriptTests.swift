import BLIPProtocol
import DocumentValues
import SyncModels
import Testing
import TranscriptSupport

@testable import SyncProtocol

/// Our client instead of the recorded client: against each recorded gateway it says what the recorded client said, and
/// reports the same documents.
@Suite struct ActiveTranscriptTests {
    @Test(arguments: try! Transcript.names())
    func weSayWhatTheRecordedClientSaid(name: String) throws {
        var replay = try TranscriptReplay(Transcript.load(name))
        try replay.run()
        for problem in replay.problems { Issue.record("\(name): \(problem)") }
    }
}

/// Plays a whole recording: its clients, their edits between and during their connections.
private struct TranscriptReplay {
    private struct Client {
        var arguments = RecordedClientArguments([])
        var model: ModelClient?
        var serverCheckpoints: [String: [UInt8]] = [:]
        var expectedLines: Set<RecordedDocumentLine> = []
        var lines: Set<RecordedDocumentLine> = []
        /// Documents that were deleted and whose tombstones were not proposed yet.
        var deleted: Set<String> = []
    }

    private let transcript: Transcript
    private let logs: [Int: MessageLog]
    /// What recorded clients had to give when the gateway asked.
    private var pushedBlobs: [String: [UInt8]] = [:]
    private var clients: [String: Client] = [:]
    private var currentClient = ""
    private var clientOfConnection: [Int: String] = [:]
    private var replays: [Int: ActiveReplay] = [:]
    private(set) var problems: [String] = []

    init(_ transcript: Transcript) throws {
        self.transcript = transcript
        let logs = Dictionary(
            uniqueKeysWithValues: try transcript.connections.map { ($0, try MessageLog(transcript, connection: $0)) })
        self.logs = logs
        for log in logs.values {
            for reply in log.messages where reply.direction == .toServer && reply.message.kind == .response {
                guard log.request(for: reply)?.message.profile == "getAttachment" else { continue }
                pushedBlobs[BlobDigest(of: reply.message.bodyBytes).text] = reply.message.bodyBytes
            }
        }
    }

    mutating func run() throws {
        for record in transcript.records {
            switch record.content {
            case .clientStart(let client, let arguments): try start(client, RecordedClientArguments(arguments))
            case .client(let client, let line): try reported(client, line)
            case .clientExit(let client, _): if !isLeftOut(client) { compareLines(client) }
            case .clientEdit(let client, let command):
                if command == "stop" {
                    for number in replays.keys { replays[number]?.stop() }
                } else {
                    try edit(client, command)
                }
            case .httpRequest(let request): connect(request.connection)
            case .httpResponse(let response) where response.status == 101: try accepted(response)
            case .frame(let frame) where frame.message != nil: play(record.number, frame.connection)
            case .tcpEnd: if let number = record.connection { end(number) }
            case .httpResponse, .frame, .close, .ping, .pong, .rest, .note: break
            }
        }
    }

    // MARK: - Clients

    private mutating func start(_ name: String, _ arguments: RecordedClientArguments) throws {
        currentClient = name
        var client = clients[name] ?? Client()
        client.arguments = arguments
        var model = client.model ?? ModelClient(collections: arguments.collections.count)
        model.purgesLostDocuments = arguments.purges
        if arguments.hasBlobs { model.blobs.merge(pushedBlobs) { $1 } }
        // A client that is started again with other collections begins with other data in every recording.
        if model.collections.count != arguments.collections.count {
            model = ModelClient(collections: arguments.collections.count)
        }
        if arguments.resets { for index in model.collections.indices { model.collections[index].checkpoint = nil } }
        client.model = model
        clients[name] = client
    }

    private mutating func reported(_ name: String, _ line: String) throws {
        let parts = line.split(separator: " ").map(String.init)
        if let document = RecordedDocumentLine(line) {
            clients[name]?.expectedLines.insert(document)
        } else if parts.first == "PUT", parts.count == 3, let revision = RevisionID(parts[2].dropFirst("rev=".count)) {
            guard let index = clients[name]?.arguments.index(ofDocument: parts[1]) else { return }
            try change(name, parts[1], index, revision)
        } else if parts.first == "DELETED" {
            clients[name]?.deleted.insert(parts[1])
        }
    }

    private mutating func edit(_ name: String, _ command: String) throws {
        let parts = command.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, let slash = parts[1].firstIndex(of: "/") else { return }
        let id = String(parts[1][parts[1].index(after: slash)...].prefix { $0 != "=" })
        if parts[0] == "delete" { clients[name]?.deleted.insert(id) }
        if let equals = parts[1].firstIndex(of: "=") {
            clients[name]?.arguments.edits[String(parts[1][..<equals])] =
                String(parts[1][parts[1].index(after: equals)...])
        }
        // The recorded proposal that follows names the new revision.
        for (number, replay) in replays where clientOfConnection[number] == name {
            guard let index = clients[name]?.arguments.collections.firstIndex(of: String(parts[1][..<slash])),
                let revision = proposedRevision(of: id, unknownTo: replay.peer.store, number)
            else { continue }
            try change(name, id, index, revision)
            replays[number]?.edited(in: index)
        }
    }

    private func proposedRevision(of id: String, unknownTo model: ModelClient, _ number: Int) -> RevisionID? {
        let known = Set(model.collections.compactMap { $0.documents[id] }.flatMap(\.chain))
        return proposals(number).filter { $0.row.documentID == id }.compactMap { RevisionID($0.row.revision) }
            .first { !known.contains($0) }
    }

    /// A local edit that makes this revision, unless it is there already.
    private mutating func change(_ name: String, _ id: String, _ index: Int, _ revision: RevisionID) throws {
        let number = replays.keys.first { clientOfConnection[$0] == name }
        guard var model = number.flatMap({ replays[$0]?.peer.store }) ?? clients[name]?.model else { return }
        let current = model.collections[index].documents[id]
        guard current?.chain.contains(revision) != true else { return }
        if let current, current.current.id.treeRevision?.generation == revision.treeRevision?.generation,
            current.remote != current.current.id
        {
            // A resolution, whose revision the recorded client computed otherwise.
            model.collections[index].documents[id]?.current.id = revision
        } else {
            let recorded = recordedBody(id, revision)
            let isDeleted = clients[name]?.deleted.remove(id) != nil
            let body =
                recorded ?? clients[name]?.arguments.edits["\(clients[name]?.arguments.collections[index] ?? "")/\(id)"]
            model.nextRevisions[id] = [revision]
            model.edit(id, in: index, body: isDeleted ? "{}" : body ?? "{}", isDeleted: isDeleted)
        }
        if let number { replays[number]?.peer.store = model } else { clients[name]?.model = model }
    }

    private func recordedBody(_ id: String, _ revision: RevisionID) -> String? {
        for log in logs.values {
            for recorded in log.messages where recorded.direction == .toServer {
                guard let rev = try? Rev(recorded.message), rev.documentID == id,
                    rev.revision == revision.description,
                    let body = try? JSONObject(parsing: recorded.message.bodyBytes)
                else { continue }
                return body.filter { $0 != "_attachments" }.description
            }
        }
        return nil
    }

    private func proposals(_ number: Int) -> [(row: ProposedRow, collection: Int)] {
        (logs[number]?.messages ?? []).filter { $0.direction == .toServer }.compactMap {
            $0.message.profile == "proposeChanges" ? try? ProposeChanges($0.message) : nil
        }.flatMap { proposal in proposal.rows.map { ($0, proposal.collection ?? 0) } }
    }

    private mutating func compareLines(_ name: String) {
        guard let client = clients[name], !client.arguments.isQuiet else { return }
        // Whether a conflict was reported as a failed push, too, depended on what came first; ours reports no conflict
        // that the same run has resolved.
        let isRace = transcript.name.hasPrefix("05")
        func settled(_ lines: Set<RecordedDocumentLine>) -> Set<RecordedDocumentLine> {
            lines.filter { !(isRace && $0.isPush && $0.status == 409) }
        }
        let (expected, lines) = (settled(client.expectedLines), settled(client.lines))
        for missing in expected.subtracting(lines) { problems.append("not reported: \(missing)") }
        for surplus in lines.subtracting(expected) { problems.append("reported: \(surplus)") }
        clients[name]?.lines = []
        clients[name]?.expectedLines = []
    }

    private func isLeftOut(_ name: String) -> Bool {
        transcript.name.hasPrefix("14") && clientOfConnection[4] == name
    }

    // MARK: - Connections

    private mutating func connect(_ number: Int) {
        // In the one recording with two clients at a time the first connection is that of the second client.
        clientOfConnection[number] = transcript.name.hasPrefix("28") ? (number == 1 ? "b" : "a") : currentClient
    }

    private mutating func accepted(_ response: TranscriptHTTPResponse) throws {
        let number = response.connection
        let header = response.headers.first { $0.name.lowercased() == "sec-websocket-protocol" }?.value ?? ""
        // There the recorded client had forgotten what it knew of the gateway, and learned it again by a 409.
        if transcript.name.hasPrefix("14"), number == 4 { return }
        guard let version = SyncSubprotocol(rawValue: header), let log = logs[number],
            let name = clientOfConnection[number], let arguments = clients[name]?.arguments
        else { return }
        if !arguments.isContinuous || transcript.name.hasPrefix("27") {
            for (row, index) in proposals(number) {
                guard let revision = RevisionID(row.revision) else { continue }
                try change(name, row.documentID, index, revision)
            }
        }
        let key = "\(arguments.type)\(arguments.channels ?? [])\(arguments.documentIDs ?? [])"
        guard var model = clients[name]?.model else { return }
        for index in model.collections.indices {
            model.collections[index].checkpoint = model.checkpoints["\(key)\(index)"]
        }
        if arguments.resets { for index in model.collections.indices { model.collections[index].checkpoint = nil } }
        // A recorded client that runs once leaves what it has resolved to its next run; ours does not.
        model.connectAgain(postponesResolved: !arguments.isContinuous)
        let configuration = try arguments.configuration { "cp-\(key)\($0)" }
        var replay = ActiveReplay(
            ActivePeer(configuration, model: model), log, arguments,
            serverCheckpoints: clients[name]?.serverCheckpoints ?? [:])
        replay.connect(version)
        replays[number] = replay
    }

    private mutating func play(_ record: Int, _ number: Int) {
        guard let recorded = logs[number]?.messages.first(where: { $0.record == record }) else { return }
        replays[number]?.play(recorded)
    }

    private mutating func end(_ number: Int) {
        guard var replay = replays.removeValue(forKey: number), let name = clientOfConnection[number] else { return }
        replay.finish()
        replay.peer.lose()
        problems += replay.problems.map { "connection \(number): \($0)" }
        for (index, recorded) in replay.recordedCheckpoints {
            // The recorded client may have ended before it saved what it had.
            guard let wanted = recorded.remote.flatMap({ SequenceID(parsing: $0) }) else { continue }
            let ours = replay.checkpoints[index]?.remote.flatMap { SequenceID(parsing: $0) } ?? .zero
            if ours < wanted { problems.append("connection \(number): checkpoint \(index) is \(ours), not \(wanted)") }
        }
        guard let arguments = clients[name]?.arguments else { return }
        var model = replay.peer.store
        let key = "\(arguments.type)\(arguments.channels ?? [])\(arguments.documentIDs ?? [])"
        for index in model.collections.indices {
            model.checkpoints["\(key)\(index)"] = model.collections[index].checkpoint
        }
        clients[name]?.model = model
        clients[name]?.serverCheckpoints = replay.serverCheckpoints
        clients[name]?.lines.formUnion(
            replay.peer.events.map { RecordedDocumentLine($0, arguments.collections) })
    }
}
