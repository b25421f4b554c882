import DocumentValues

/// Reads a few small rows on the calling thread, since two changes of threads take ten times as long as reading them. An
/// engine that needs a round trip for each row has no such reader; then callers use the asynchronous readers.
///
/// Each call reads one state of the store, with all writes that had returned when it began. It keeps the calling thread for as
/// long as it takes, so it must not wait for a task: neither for a connection that is lent to a body, nor for a write.
protocol InPlaceReader: Sendable {
    /// As `SessionRows.find` does.
    func session(_ key: [UInt8]) throws -> Session?

    /// A session with its user, both of one state; `nil` if either is not stored.
    func signedIn(with key: [UInt8]) throws -> (session: Session, user: StoredPrincipal)?

    /// One entry for each id, in their order; `nil` for a missing document.
    func sequences(of ids: [String], in collection: Int64) throws -> [UInt64?]

    /// Reads whole documents in the same way, with the content of all their leaves, if all together have at most so many bytes.
    /// An id may be named more than once, and then counts each time. Nothing large is read to find that out.
    func states(of ids: [String], in collection: Int64, upTo bytes: Int) throws -> ReadInPlace<[DocumentState?]>

    /// As `FeedRows.page` does, if the part has fewer rows than its limit; else it may be long, and is to be read elsewhere.
    func page(_ part: ChannelPart) throws -> ReadInPlace<ChannelPage?>

    func localDocument(
        _ id: String, in collection: Int64, upTo bytes: Int
    ) throws -> ReadInPlace<LocalDocument?>

    /// As `AttachmentRows.read` does. It is called on event loops, where all connections of the loop wait for it: so it waits
    /// for no other call than another one of this method, and reads one row.
    func attachment(_ digest: Name, of document: Int64, from offset: Int, count: Int) throws -> [UInt8]
}

/// The result of reading in place.
enum ReadInPlace<Value> {
    case found(Value)
    /// The rows are so many, or so large, that other readers in place would have to wait.
    case tooLarge
}
