import DocumentValues
import FieldModels

/// The district of a record that two people moved to different sites.
///
/// A record takes its district from its site. Where it is open which of two sites a record is of, so is its district: the
/// current site with the other one's district would hide the record from the people of that site. Until somebody decides,
/// the people of both districts have it.
extension RecordMerger {
    private static let district = FieldPath("district")

    mutating func settleDistrict(_ field: MergedField) -> JSONValue? {
        guard let side = currentSite, !ValueOrder.isSame(field.a, and: field.b) else { return settle(field) }
        return contest(field, winner: side)
    }

    /// The side of which the current site is, where both sides have changed it; `nil` otherwise, and under an approval, of
    /// which nothing changes.
    private var currentSite: MergeSide.Letter? {
        let field = MergedField(
            path: FieldPath("site"), base: base?.object["site"], a: a.object["site"], b: b.object["site"])
        guard approval == nil, field.a != nil, field.b != nil, !ValueOrder.isSame(field.a, and: field.b),
            hasChanged(field, side: .a), hasChanged(field, side: .b)
        else { return nil }
        return ValueOrder.precedes(field.a, over: field.b) ? .b : .a
    }

    /// Puts the record into the channels of both districts, in an order that another merge keeps.
    func joinDistricts(_ result: inout JSONObject) {
        guard currentSite != nil else { return }
        let codes = [a, b].compactMap { $0.object[Self.district.member]?.stringValue }
        guard codes.count == 2, !codes[0].isExactly(codes[1]) else { return }
        let own = Set(codes.map { Name(District.channelPrefix + $0) })
        let merged = Self.channels(result)
        let kept = Set(merged).union(own)
        let known = Self.channels(base?.object ?? JSONObject()).filter { kept.contains($0) }
        let added = merged.filter { !known.contains($0) }
        let missing = own.subtracting(known).subtracting(added).sorted()
        result["channels"] = .array((known + added + missing).map { .string($0.text) })
    }

    mutating func mergeChannels(_ field: MergedField) -> JSONValue? {
        switch approval {
        case .a: field.a
        case .b: field.b
        case nil: mergeItems(field)
        }
    }

    private static func channels(_ object: JSONObject) -> [Name] {
        (object["channels"]?.arrayValue ?? []).compactMap { $0.stringValue.map { Name($0) } }
    }
}
