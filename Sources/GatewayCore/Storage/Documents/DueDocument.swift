/// A document whose time has come. Those of one database have an order: by their times, then by their numbers.
struct DueDocument: Sendable, Hashable {
    /// Seconds since 1970.
    let expires: Int64
    let number: Int64
    let collection: Int64
}
