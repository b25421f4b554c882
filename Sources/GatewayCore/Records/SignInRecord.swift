import DocumentValues
import Logging

/// The last sign-in of each user of a database, kept in a file beside it over restarts.
package final class SignInRecord: Sendable {
    static let fileName = "sign-ins.json"

    private let last: KeptState<[Name: SignIn]>

    /// Begins with what the file holds; a damaged one is put aside.
    ///
    /// - Throws: where the file is there and cannot be read.
    init(folder: String, logger: Logger) throws(GatewayError) {
        let file = KeptFile(folder: folder, name: Self.fileName)
        let known = try file.objects(atMost: GatewayLimits.signIns, logger: logger).compactMap { SignIn($0) }
        last = KeptState(Dictionary(known.map { (Name($0.user), $0) }, uniquingKeysWith: { $1 }), in: file)
    }

    /// By name.
    package var all: [SignIn] { last.value.sorted { $0.key < $1.key }.map(\.value) }

    func note(_ signIn: SignIn) {
        last.change { last in
            let key = Name(signIn.user)
            // Users come and go; of too many the one who was away for longest is forgotten.
            if last.count >= GatewayLimits.signIns, last[key] == nil,
                let oldest = last.min(by: { $0.value.time < $1.value.time })?.key
            {
                last[oldest] = nil
            }
            last[key] = signIn
        }
    }

    /// A deleted user leaves nothing here, nor does another one of that name find it.
    func forget(_ user: Name) { last.change { $0[user] = nil } }

    func save() throws(GatewayError) { try last.save { $0.values.map(\.json) } }

    /// Nothing is written any more afterwards.
    func end() throws(GatewayError) { try last.end { $0.values.map(\.json) } }
}
