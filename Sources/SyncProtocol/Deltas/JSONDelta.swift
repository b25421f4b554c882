import DocumentValues

/// Differences between two versions of a document, in the form in which the protocol sends them (§6.8).
///
/// A delta is JSON itself. Inside an object it names the members that changed: with a bare number, text, boolean or
/// `null` as their new value, `[v]` for any new value, `[]` for one that is gone, and an object for a difference inside
/// it. Elements of arrays are named by their indexes, and `"3-"` stands for all from the third on.
package enum JSONDelta {
    /// The difference does not fit what it is applied to.
    package struct Mismatch: Error, Sendable, Hashable {
        package let reason: String
    }

    /// What turns one body into another, as bytes; `nil` where the new body itself is no longer than that, or so short
    /// that the trouble is not worth it.
    package static func difference(from old: [UInt8], to new: [UInt8]) throws(JSONError) -> [UInt8]? {
        guard new.count >= SyncLimits.smallestDeltaBody else { return nil }
        let delta = try difference(from: JSONObject(parsing: old), to: JSONObject(parsing: new)).bytes
        return delta.count < new.count ? delta : nil
    }

    /// The body after a difference; `nil` if the two do not fit.
    package static func apply(_ delta: [UInt8], to body: [UInt8]) -> [UInt8]? {
        do {
            return try apply(JSONValue(parsing: delta), to: JSONObject(parsing: body)).bytes
        } catch {
            // The peer sends the whole then: why this did not fit changes nothing.
            return nil
        }
    }

    enum Marker {
        /// The third element of `[patch, 0, 2]`.
        static let text: Int64 = 2
        /// The third element of `[old, 0, 0]`, which other writers use for something that is gone.
        static let deletion: Int64 = 0
    }
}

extension JSONObject {
    /// For many look-ups.
    var byKey: [ExactText: JSONValue] {
        Dictionary(members.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }
}
