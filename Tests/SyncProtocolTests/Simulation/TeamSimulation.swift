import DocumentValues
import SeededRandom
import SyncModels

@testable import SyncProtocol

/// Several clients of one gateway, which is restored from a backup now and then, from one seed.
///
/// Only the clients edit, so all that was ever written is on one of them.
struct TeamSimulation {
    private var random: SimulationRandom
    private var clients: [SimulatedClient]
    private var gateway: ModelGateway
    private var backups: [ModelGateway] = []
    private var edits: [Edit] = []
    private var counter = 0
    private(set) var restorations = 0
    private(set) var problems: [String] = []

    /// What a person did.
    private struct Edit {
        var documentID: String
        var revision: RevisionID
        var history: RevisionHistory
        var isDeleted: Bool

        /// The revision that was made where there was no document.
        var root: RevisionID { history.ancestors.last ?? revision }
    }

    private static let documents = ["a", "b", "c", "d", "e", "f"]

    init(seed: UInt64) {
        random = SimulationRandom(seed: seed &+ 0x5EED)
        clients = (0..<3).map { SimulatedClient(collectionNames: ["field.sites"], number: $0) }
        gateway = ModelGateway(collections: 1, channels: ["north"])
    }

    mutating func run() {
        for _ in 0..<Int.random(in: 4...16, using: &random) {
            let place = Int.random(in: clients.indices, using: &random)
            for _ in 0..<Int.random(in: 0...3, using: &random) { edit(place) }
            if random.chance(60) { runOnce(place) } else { runAndCut(place) }
            if random.chance(25) { backups.append(gateway) }
            if random.chance(15) { restore() }
        }
        settle()
        for client in clients { problems += client.problems }
    }

    /// The history in which documents were first seen to stay refused for ever: twenty rounds of three clients, each with
    /// twelve of two hundred documents, of which 15 % are deleted; each syncs every third time.
    mutating func recreate(_ dice: PythonGenerator) {
        var dice = dice
        for _ in 0..<20 {
            for place in clients.indices {
                for _ in 0..<12 {
                    let id = "d\(dice.randrange(200))"
                    edit(id, place, isDeleted: dice.random() < 0.15)
                }
                if dice.randrange(3) == 0 { runOnce(place) }
            }
        }
        settle()
        for client in clients { problems += client.problems }
    }

    // MARK: - What happens

    private mutating func edit(_ place: Int) {
        guard let id = random.pick(Self.documents) else { return }
        edit(id, place, isDeleted: random.chance(30))
    }

    private mutating func edit(_ id: String, _ place: Int, isDeleted: Bool) {
        let document = clients[place].model.collections[0].documents[id]
        guard !isDeleted || document.map({ !$0.current.isDeleted }) ?? false else { return }
        counter += 1
        let body = isDeleted ? "{}" : #"{"c":"north","n":\#(counter)}"#
        let revision = clients[place].model.edit(id, in: 0, body: body, isDeleted: isDeleted)
        let history = clients[place].model.collections[0].documents[id]?.current.history ?? RevisionHistory()
        edits.append(Edit(documentID: id, revision: revision, history: history, isDeleted: isDeleted))
        clients[place].committed(in: 0, &gateway)
    }

    private mutating func runOnce(_ place: Int) {
        if let problem = clients[place].runOnce(&gateway, &random, usesDeltas: false) { problems.append(problem) }
    }

    /// The line goes dead somewhere; a backup may be made meanwhile.
    private mutating func runAndCut(_ place: Int) {
        clients[place].open(isContinuous: random.chance(60), usesDeltas: false, &gateway)
        for _ in 0..<Int.random(in: 5...60, using: &random) where clients[place].isConnected {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: backups.append(gateway)
            case 1: edit(place)
            default: _ = clients[place].step(&gateway, &random)
            }
        }
        clients[place].cut()
    }

    private mutating func restore() {
        guard let backup = random.pick(backups) else { return }
        restorations += 1
        // A copy of the disk says nothing to those whose last session was cut before its checkpoint was saved.
        let isMarked = random.chance(70)
        if !isMarked { for place in clients.indices { runOnce(place) } }
        gateway = backup
        gateway.restored(isMarked: isMarked, grantsAgain: random.chance(50))
        // What was backed up after that moment is another history.
        backups = [gateway]
    }

    // MARK: - The end

    private mutating func settle() {
        for _ in 0..<10 {
            let before = gateway.collections[0].mapValues(\.current.id)
            for place in clients.indices { runOnce(place) }
            guard problems.isEmpty else { return }
            if before == gateway.collections[0].mapValues(\.current.id), clients.allSatisfy(\.isSettled) {
                return check()
            }
        }
        problems.append("there is always something left to do")
    }

    private mutating func check() {
        let there = Dictionary(
            uniqueKeysWithValues: gateway.collections[0].filter { !$0.value.current.isDeleted }.map {
                ($0.key.text, $0.value.current.id.description)
            })
        for client in clients {
            let here = client.model.collections[0].documents.filter { !$0.value.current.isDeleted }
                .mapValues { $0.current.id.description }
            if here != there { problems.append("client \(client.number) has \(here), the gateway \(there)") }
            for (id, revision) in client.model.collections[0].rejected {
                problems.append("client \(client.number): \(id) \(revision) is refused")
            }
        }
        for edit in edits where !isKept(edit) {
            problems.append("\(edit.revision) of \(edit.documentID) (\(edit.isDeleted ? "deleted" : "live")) is undone")
        }
    }

    /// It is what there is now or below that, or it met another revision in a conflict. A document that was made again
    /// over a deletion has a history of its own.
    private func isKept(_ edit: Edit) -> Bool {
        if clients.contains(where: { $0.model.contested.contains(edit.revision) }) { return true }
        guard let document = gateway.collections[0][edit.documentID] else { return false }
        if document.chain.contains(edit.revision) { return true }
        guard document.chain.last != edit.root else { return false }
        return edit.isDeleted
            || edits.contains { $0.isDeleted && $0.documentID == edit.documentID && $0.history.contains(edit.revision) }
    }
}

extension SimulatedClient {
    /// Nothing is left to push or to resolve.
    fileprivate var isSettled: Bool {
        model.collections[0].documents.values.allSatisfy { $0.isKnownToRemote && $0.conflict == nil }
    }
}
