import DocumentValues
import Logging

/// The last sign-ins of each user of a database, one for each program and laptop, kept in a file beside it over restarts.
package final class SignInRecord: Sendable {
    static let fileName = "sign-ins.json"

    /// For each user the newest first.
    private let last: KeptState<[Name: [LastSignIn]]>

    /// Begins with the content of the file; a damaged one is put aside.
    ///
    /// - Throws: if the file exists and cannot be read.
    init(folder: String, logger: Logger) throws(GatewayError) {
        let file = KeptFile(folder: folder, name: Self.fileName)
        let limit = GatewayLimits.signIns * GatewayLimits.programsOfUser
        let known = try file.objects(atMost: limit, logger: logger).compactMap { LastSignIn($0) }
        last = KeptState(Dictionary(grouping: known) { Name($0.user) }, in: file)
    }

    /// By name, for each user the newest first.
    package var all: [LastSignIn] { last.value.sorted { $0.key < $1.key }.flatMap(\.value) }

    func note(_ signIn: LastSignIn) {
        last.change { last in
            let key = Name(signIn.user)
            // If there are too many users, the one who was away for longest is forgotten.
            if last.count >= GatewayLimits.signIns, last[key] == nil,
                let oldest = last.min(by: { Self.time($0.value) < Self.time($1.value) })?.key
            {
                last[oldest] = nil
            }
            let others = (last[key] ?? []).filter { !$0.agent.isExactly(signIn.agent) }
            last[key] = [signIn] + others.prefix(GatewayLimits.programsOfUser - 1)
        }
    }

    private static func time(_ signIns: [LastSignIn]) -> Int64 { signIns.first?.time ?? 0 }

    /// Forgets a deleted user, so that a later one of that name does not get the entries.
    func forget(_ user: Name) { last.change { $0[user] = nil } }

    func save() throws(GatewayError) { try last.save(Self.objects) }

    /// The last write of the file.
    func end() throws(GatewayError) { try last.end(Self.objects) }

    private static func objects(_ last: [Name: [LastSignIn]]) -> [JSONObject] { last.values.flatMap { $0.map(\.json) } }
}
