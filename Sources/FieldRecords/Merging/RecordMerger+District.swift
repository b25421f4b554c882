import DocumentValues
import FieldModels

/// The district of a record that two people moved to different ones.
///
/// A record takes its district from its site. While it is undecided which of two sites a record belongs to, its district
/// is, too: the current site with the other one's district would hide the record from the people of that site. Until a
/// person decides, the people of both districts have it.
extension RecordMerger {
    private static let district = FieldPath("district")

    mutating func settleDistrict(_ field: MergedField) -> JSONValue? {
        guard let side = choices.site, !ValueOrder.isSame(field.a, and: field.b) else { return settle(field) }
        return contest(field, winner: side)
    }

    /// Puts the record into the channels of all districts that it may be of, in an order that another merge keeps. Under an
    /// approval nothing of it changes.
    func joinDistricts(_ result: inout JSONObject) {
        guard choices.approval == nil, choices.keeper(of: "channels") == nil else { return }
        let merged = result.channels
        let needed = needed(in: result, besides: merged)
        guard !needed.isEmpty else { return }
        let kept = Set(merged).union(needed)
        let known = (versions.base?.object.channels ?? []).filter { kept.contains($0) }
        let added = merged.filter { !known.contains($0) }
        let missing = needed.subtracting(known).subtracting(added).sorted()
        result["channels"] = .array((known + added + missing).map { .string($0.text) })
    }

    /// Channels of open districts. No user would get a record in no channel: if each side has left the other's channel, the
    /// record keeps that of its district.
    private func needed(in result: JSONObject, besides merged: [Name]) -> Set<Name> {
        let sides = Set(versions.a.object.channels + versions.b.object.channels)
        // A channel that neither side is in was left before, and who merges may have no say in it.
        let open = Set((contested.fields[Self.district] ?? []).compactMap { Self.channel(of: $0.value) })
            .intersection(sides)
        guard open.isEmpty, merged.isEmpty else { return open }
        if let own = Self.channel(of: result[Self.district.member]), sides.contains(own) { return [own] }
        return Set(sides.min().map { [$0] } ?? [])
    }

    mutating func mergeChannels(_ field: MergedField) -> JSONValue? {
        let isOfBoth = versions.hasChanged(field, side: .a) && versions.hasChanged(field, side: .b)
        let side = choices.approval ?? (isOfBoth ? choices.keeper(of: field.path.member) : nil)
        guard let side else { return mergeItems(field) }
        return field[side]
    }

    private static func channel(of district: JSONValue?) -> Name? {
        district?.stringValue.map { Name(District.channelPrefix + $0) }
    }
}
