import DocumentStore
import DocumentValues
import FieldModels

/// The districts from which the user can choose for a new site, as far as a laptop knows them.
public struct KnownDistricts: Sendable, Hashable {
    /// Codes in their order: of records that a gateway has taken; where it has none, of those that wait to be sent.
    public let codes: [Name]
    /// The only one, or that of the record which the person made last; `nil` where there is neither.
    public let preset: District?

    public func contains(_ district: District) -> Bool { codes.contains(Name(district.code)) }
}

extension Districts {
    /// - Parameter user: who makes the site.
    public func known(for user: String?) throws -> KnownDistricts {
        let refused = Set(try database.rejectedPushes().map { Name($0.documentID) })
        let (sites, inspections) = (try sites.all().records, try inspections.all().records)
        let records: [any FieldRecord] = sites + inspections
        let taken: [any FieldRecord] = try taken(among: sites) + taken(among: inspections)
        // It is unknown whether the gateway takes records that were never sent; those that it has refused it does not
        // take.
        let known = taken.isEmpty ? records.filter { !refused.contains(Name($0.id)) && $0.district != .unknown } : taken
        let codes = Set(known.compactMap { $0.district.map { Name($0.code) } }).sorted()
        let own = known.filter { record in
            guard let user, let creator = record.envelope.createdBy, record.district != nil else { return false }
            return creator.isExactly(user)
        }
        let last = own.max { ($0.envelope.createdAt ?? .first) < ($1.envelope.createdAt ?? .first) }
        return KnownDistricts(codes: codes, preset: codes.count == 1 ? District(codes[0].text) : last?.district)
    }
}

extension Timestamp {
    fileprivate static let first = Timestamp(secondsSince1970: .min)
}
