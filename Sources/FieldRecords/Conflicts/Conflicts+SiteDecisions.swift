import DocumentStore
import DocumentValues
import FieldModels

/// Decisions about a record's site and district: the two go together, and not every user may take a record out of a
/// district.
extension Conflicts {
    /// With a site its district is chosen, and with a district the site in it, where both are to be decided.
    ///
    /// - Throws: `RecordActionError` where a district is chosen, and none of the sites or several of them are in it.
    public func withSiteAndDistrict(
        _ choices: [FieldPath: JSONValue], of conflict: RecordConflict
    ) throws -> [FieldPath: JSONValue] {
        guard let question = SiteQuestion(conflict, among: sites) else { return choices }
        switch (choices[SiteQuestion.site], choices[SiteQuestion.district]) {
        case (let site?, nil):
            guard let site = site.stringValue, let district = try question.district(ofSite: site) else {
                return choices
            }
            return choices.merging([SiteQuestion.district: .string(district)]) { $1 }
        case (nil, let district?):
            let sites = try question.sites(inDistrict: district)
            guard sites.count == 1 else {
                throw RecordActionError(.siteUndecided, kind: conflict.kind, id: conflict.id)
            }
            return choices.merging([SiteQuestion.site: sites[0]]) { $1 }
        case (nil, nil), (_?, _?): return choices
        }
    }

    /// Whose record it is, where a decision takes it out of a district or into one, and the gateway lets supervisors alone do
    /// that with records of others. As long as it is open in which district it is, the people of each have it.
    ///
    /// - Returns: `nil` where the user may.
    public func owner(
        ofDecided conflict: RecordConflict, choices: [FieldPath: JSONValue], against user: String
    ) throws -> String? {
        guard try isKnownToGateway(conflict.kind, id: conflict.id),
            let present = try collection(of: conflict.kind).document(id: conflict.id)?.body
        else { return nil }
        let body = try gatewayBody(of: conflict.kind, conflict.id) ?? present
        let owners = RecordOwners(of: conflict.kind, body)
        guard !owners.has(user) else { return nil }
        let decided = Self.decided(
            present, conflict: conflict, choices: try withSiteAndDistrict(choices, of: conflict), keepsRecord: false,
            by: Author(name: user, moment: Timestamp(secondsSince1970: 0)))
        let (before, after) = (Set(body.channels), Set(decided.channels))
        // Any user may share a finding with more people.
        let isMoved = conflict.kind == .finding ? !before.isSubset(of: after) : before != after
        return isMoved ? owners.first : nil
    }
}

/// A record of which both the site and the district are to be decided.
private struct SiteQuestion {
    static let site = FieldPath("site")
    static let district = FieldPath("district")

    private let known: RecordRepository<Site>
    private let sites: ContestedField
    private let districts: ContestedField

    /// `nil` for one of which not both are.
    init?(_ conflict: RecordConflict, among known: RecordRepository<Site>) {
        func contested(_ path: FieldPath) -> ContestedField? { conflict.fields.first { $0.path == path } }
        guard let sites = contested(Self.site), let districts = contested(Self.district) else { return nil }
        (self.known, self.sites, self.districts) = (known, sites, districts)
    }

    /// Where the site is not on this laptop: of the versions that met, the current one has the current district.
    func district(ofSite id: String) throws -> String? {
        if let district = try known.findReadable(id)?.district?.code { return district }
        if sites.current.value?.stringValue?.isExactly(id) == true { return districts.current.value?.stringValue }
        return districts.others.count == 1 ? districts.others[0].value?.stringValue : nil
    }

    /// Those of the contested sites that are in a district.
    func sites(inDistrict district: JSONValue) throws -> [JSONValue] {
        guard let code = district.stringValue else { return [] }
        return try ([sites.current] + sites.others).compactMap(\.value).filter { site in
            try site.stringValue.flatMap(district(ofSite:)).isExactly(code)
        }
    }
}
