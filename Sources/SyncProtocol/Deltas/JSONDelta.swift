import DocumentValues

/// Differences between two versions of a document, in the form in which the protocol sends them (§6.8).
///
/// A delta is JSON itself. Inside an object it names the members that changed: with a bare number, text, boolean or
/// `null` as their new value, `[v]` for any new value, `[]` for one that is gone, and an object for a difference inside
/// it. Elements of arrays are named by their indexes, and `"3-"` represents all from the third on.
package enum JSONDelta {
    /// The difference does not fit the body to which it is applied.
    package struct Mismatch: Error, Sendable, Hashable {
        package let reason: String
    }

    /// The most levels of a difference, as many as a value of Couchbase Lite may have; deeper values are replaced as a
    /// whole. Differences are made and applied by recursion, which must not exhaust a thread's stack.
    static let deepest = 100

    enum Marker {
        /// The third element of `[patch, 0, 2]`.
        static let text: Int64 = 2
        /// The third element of `[old, 0, 0]`, which other writers use for a removed value.
        static let deletion: Int64 = 0
    }
}

extension JSONObject {
    /// For many look-ups.
    var byKey: [Name: JSONValue] {
        Dictionary(members.map { (Name($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }
}
