import DocumentValues

/// A few small rows, read by the thread that asks: two changes of threads take ten times as long as reading them. An engine for
/// which a row is a round trip away has no such reader, and those who ask read as all others do.
///
/// Each call reads one state of the store.
protocol InPlaceReader: Sendable {
    func session(_ key: [UInt8]) throws -> Session?

    /// A session with its user.
    func signedIn(with key: [UInt8]) throws -> (session: Session, user: StoredPrincipal)?

    /// One entry for each id, in their order; `nil` for those that are not there.
    func sequences(of ids: [String], in collection: Int64) throws -> [UInt64?]

    /// The same of whole documents, where all together have no more bytes.
    func states(of ids: [String], in collection: Int64, upTo bytes: Int) throws -> ReadInPlace<[DocumentState?]>

    func localDocument(
        _ id: String, in collection: Int64, upTo bytes: Int
    ) throws -> ReadInPlace<LocalDocument?>

    /// As `AttachmentRows.read` does; also on an event loop.
    func attachment(_ digest: Name, of document: Int64, from offset: Int, count: Int) throws -> [UInt8]
}

/// What reading in place came to.
enum ReadInPlace<Value> {
    case found(Value)
    /// It would keep others waiting who read in place.
    case tooLarge
}
