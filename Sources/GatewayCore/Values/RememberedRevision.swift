/// A revision that was replaced, and until when it is answered; seconds since 1970, `nil` for as long as it is here.
struct RememberedRevision: Sendable {
    let revision: StoredRevision
    let until: Int64?
}
