import Foundation

/// A worker's folder with the records of a city's register: for each site two inspections, and for each of these three
/// findings. The records are the same in each run.
struct RegisterFolder {
    /// A word of one site's name in a hundred.
    static let word = "taqueria"
    /// Is nowhere.
    static let absentWord = "zzzz"

    private let folder: TemporaryFolder
    var path: String { folder.path + "/records" }

    /// - Parameter sites: a tenth of the records, nearly.
    init(sites: Int) throws {
        folder = try TemporaryFolder()
        try CommandProcess.run(["init", "--key-file", "--folder", path])
        try fill("sites", with: (0..<sites).map(Self.site))
        try fill("inspections", with: (0..<2 * sites).map { Self.inspection($0, sites: sites) })
        try fill("findings", with: (0..<6 * sites).map { Self.finding($0, sites: sites) })
        // Not from the cache alone: the first opening makes the indexes of the lists.
        try CommandProcess.run(["status", "--folder", path])
    }

    /// - Parameter records: a line each, as `fieldbook db put --lines` reads them.
    private func fill(_ collection: String, with records: [String]) throws {
        let file = folder.url.appendingPathComponent("lines")
        try Data((records.joined(separator: "\n") + "\n").utf8).write(to: file)
        try CommandProcess.run(
            ["db", "put", path, "field.\(collection)", "--lines"], input: FileHandle(forReadingFrom: file))
    }

    private static func site(_ number: Int) -> String {
        var noise = Noise(seed: UInt64(number))
        let kind = number.isMultiple(of: 100) ? "Taqueria" : kinds[noise.below(kinds.count)]
        let name = "\(owners[noise.below(owners.count)])'s \(kind) \(noise.below(90) + 1)"
        let street = "\(noise.below(4_000) + 1) \(streets[noise.below(streets.count)])"
        return record(
            "site", number: number, district: number,
            members: #""name":"\#(name)","address":{"street":"\#(street)","city":"Port Amble","state":"CA","#
                + #""postalCode":"\#(94_100 + number % 25)"},"phone":"+1415\#(5_550_000 + number)""#)
    }

    private static func inspection(_ number: Int, sites: Int) -> String {
        var noise = Noise(seed: UInt64(1_000_000 + number))
        return record(
            "inspection", number: number, district: number % sites,
            members:
                #""site":"site-\#(number % sites)","date":"\#(day(number))","visit":"routine","status":"approved","#
                + #""score":\#(60 + noise.below(41)),"inspector":"\#(owners[noise.below(owners.count)].lowercased())""#)
    }

    private static func finding(_ number: Int, sites: Int) -> String {
        var noise = Noise(seed: UInt64(2_000_000 + number))
        let inspection = number % (2 * sites)
        return record(
            "finding", number: number, district: inspection % sites,
            members:
                #""inspection":"inspection-\#(inspection)","site":"site-\#(inspection % sites)","#
                + #""date":"\#(day(inspection))","#
                + #""text":"\#(remarks[noise.below(remarks.count)])","risk":"\#(risks[noise.below(risks.count)])""#)
    }

    private static func record(_ kind: String, number: Int, district: Int, members: String) -> String {
        let code = 94_100 + district % 25
        return #"{"_id":"\#(kind)-\#(number)","type":"\#(kind)","schema":1,"district":"\#(code)","#
            + #""channels":["district.\#(code)"],"createdBy":"amelie","createdAt":"2026-01-05T09:00:00Z",\#(members)}"#
    }

    private static func day(_ number: Int) -> String {
        let (month, day) = (1 + number / 28 % 12, 1 + number % 28)
        return "\(2023 + number % 3)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }

    private static let owners = ["Amelie", "Bertil", "Chiara", "Daoud", "Edith", "Farid", "Greta", "Henning", "Ines"]
    private static let kinds = ["Bakery", "Kitchen", "Noodle House", "Cafe", "Grill", "Market", "Deli", "Tea Room"]
    private static let streets = [
        "Quay Street", "Mill Lane", "Harbour Road", "Castle Street", "Main Street", "Hill Road",
    ]
    private static let risks = ["low", "moderate", "high"]
    private static let remarks = [
        "Unclean or degraded floors, walls or ceilings", "Inadequate and inaccessible handwashing facilities",
        "Unapproved or unmaintained equipment or utensils", "High risk food holding temperature",
        "Foods not protected from contamination", "Moderate risk vermin infestation",
    ]
}
