/// A revision that was replaced, and until when it may be sent; seconds since 1970, `nil` as long as it is here.
struct RememberedRevision: Sendable {
    let revision: StoredRevision
    let until: Int64?
}
