import DocumentValues
import FieldModels
import FieldRecords

/// Makes a site.
struct NewSite {
    let session: ShellSession

    func make(_ request: NewRequest) throws -> Done {
        let field = try session.field()
        let preset = try OfferedDistricts(session: session).known().preset
        var new = Site(
            id: RecordIDs.makeRandom(.site), name: request.owner ?? "", address: Address(), district: preset ?? .unknown
        )
        // A question is answered before the site is saved: a sync beside the shell would send it.
        if preset == nil, session.canAsk { new.envelope = RecordEnvelope(district: nil, channels: []) }
        let draft = RecordDraft(new, in: field.sites, session: session)
        let isNamed = request.owner != nil
        try DraftFilling(session: session, draft: draft).fill(request.values, skipping: isNamed ? ["name"] : [])
        let site = draft.record
        if session.shown.list.isEmpty { session.shown.list = [RecordReference(.site, id: site.id)] }
        return Done(try saved("Saved the site \(site.name).", site: site), object: site.identifiedObject)
    }

    /// Adds a warning if the gateway may refuse the district of the site.
    private func saved(_ text: String, site: Site) throws -> String {
        let text = try [text, twin(of: site)].compactMap(\.self).joined(separator: "\n")
        guard let warning = try OfferedDistricts(session: session).warning(about: site) else { return text }
        return "\(text)\n\(warning)\(RecordReference.short(site.id, kind: .site)) district=CODE".printable
    }

    /// Inspections would be spread over both.
    private func twin(of site: Site) throws -> String? {
        let twin = try session.field().sites.all().records.first { other in
            !other.id.isExactly(site.id) && other.name.isExactly(site.name) && other.district == site.district
        }
        return twin.map { other in
            let street = other.address.street.map { ", \($0)" } ?? ""
            let old = RecordReference.short(other.id, kind: .site)
            let new = RecordReference.short(site.id, kind: .site)
            return "\(other.name)\(street) is there already, as \(old). If it is the same one: delete \(new)"
                .printableLine
        }
    }
}
