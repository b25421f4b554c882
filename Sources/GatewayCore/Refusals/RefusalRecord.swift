import DocumentValues

/// The last refusals of a database, kept in a file beside it over restarts.
package final class RefusalRecord: Sendable {
    static let fileName = "refusals.json"

    private let history: KeptState<RefusalHistory>

    /// Begins with what the file holds; a damaged one is begun again.
    ///
    /// - Throws: where the file is there and cannot be read.
    init(folder: String) throws(GatewayError) {
        let file = KeptFile(folder: folder, name: Self.fileName)
        var known = RefusalHistory()
        for object in try file.objects(atMost: GatewayLimits.refusals) {
            guard let time = object["at"]?.stringValue.flatMap(RefusalTime.seconds),
                let refused = RefusedDocument(object, time: time)
            else { continue }
            known.add(refused)
        }
        history = KeptState(known, in: file)
    }

    /// Oldest first.
    package var entries: [RefusedDocument] { history.value.entries }

    func add(_ refused: RefusedDocument) { history.change { $0.add(refused) } }

    func save() throws { try history.save { $0.entries.map(\.json) } }
}
