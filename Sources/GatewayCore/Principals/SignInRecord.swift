import DocumentValues
import Foundation
import Synchronization

/// The last sign-in of each user of a database, kept in a file beside it over restarts.
///
/// The file is written by housekeeping and when the database is closed.
package final class SignInRecord: Sendable {
    static let fileName = "sign-ins.json"

    private struct State {
        /// By the bytes of the name.
        var last: [[UInt8]: SignIn] = [:]
        var isSaved = true
    }

    private let file: KeptFile
    private let state = Mutex(State())

    /// Begins with what the file holds; one that cannot be read is begun again.
    init(folder: String) {
        file = KeptFile(folder: folder, name: Self.fileName)
        for object in file.objects(atMost: GatewayLimits.signIns) {
            guard let signIn = SignIn(object) else { continue }
            state.withLock { $0.last[Array(signIn.user.utf8)] = signIn }
        }
    }

    /// By name.
    package var all: [SignIn] {
        state.withLock { Array($0.last.values) }.sorted { $0.user.utf8.lexicographicallyPrecedes($1.user.utf8) }
    }

    func note(_ signIn: SignIn) {
        state.withLock { state in
            let key = Array(signIn.user.utf8)
            // Users come and go; of too many the one who was away for longest is forgotten.
            if state.last.count >= GatewayLimits.signIns, state.last[key] == nil,
                let oldest = state.last.min(by: { $0.value.time < $1.value.time })?.key
            {
                state.last[oldest] = nil
            }
            state.last[key] = signIn
            state.isSaved = false
        }
    }

    func save() throws {
        let entries: [SignIn]? = state.withLock { state in
            defer { state.isSaved = true }
            return state.isSaved ? nil : Array(state.last.values)
        }
        guard let entries else { return }
        do { try file.save(entries.map(\.json)) } catch {
            state.withLock { $0.isSaved = false }
            throw error
        }
    }
}

extension GatewayDatabase {
    /// Somebody came in to stay.
    package func noteSignIn(of user: String, agent: String) {
        signIns.note(SignIn(user: user, time: now, agent: agent))
    }
}
