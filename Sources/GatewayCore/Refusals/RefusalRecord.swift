import DocumentValues
import Synchronization

/// The last refusals of a database, kept in a file beside it over restarts.
///
/// The file is written by housekeeping and when the database is closed: what a crash loses of it are some seconds.
package final class RefusalRecord: Sendable {
    static let fileName = "refusals.json"

    private struct State {
        var history = RefusalHistory()
        var isSaved = true
    }

    private let file: KeptFile
    private let state: Mutex<State>

    /// Begins with what the file holds; one that cannot be read is begun again.
    init(folder: String) {
        file = KeptFile(folder: folder, name: Self.fileName)
        var known = State()
        for object in file.objects(atMost: GatewayLimits.refusals) {
            guard let time = object["at"]?.stringValue.flatMap(RefusalTime.seconds),
                let refused = RefusedDocument(object, time: time)
            else { continue }
            known.history.add(refused)
        }
        state = Mutex(known)
    }

    /// Oldest first.
    package var entries: [RefusedDocument] { state.withLock { $0.history.entries } }

    func add(_ refused: RefusedDocument) {
        state.withLock { state in
            state.history.add(refused)
            state.isSaved = false
        }
    }

    /// Writes the file if something was added since the last time.
    func save() throws {
        let entries: [RefusedDocument]? = state.withLock { state in
            defer { state.isSaved = true }
            return state.isSaved ? nil : state.history.entries
        }
        guard let entries else { return }
        do { try file.save(entries.map(\.json)) } catch {
            state.withLock { $0.isSaved = false }
            throw error
        }
    }
}
