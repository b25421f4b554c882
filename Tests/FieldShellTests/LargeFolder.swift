import AttachmentVault
import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import WorkCount

@testable import FieldShell

/// A folder with as many records as a city has: 6,000 sites, 14,000 inspections and 40,000 findings.
final class LargeFolder {
    static let sites = 6_000
    static let inspections = 14_000
    static let findings = 40_000

    let root: URL
    let session: ShellSession

    init() throws {
        // Connections that are opened from now on count their steps.
        Growth.countSQLite()
        root = FileManager.default.temporaryDirectory.appendingPathComponent("large-\(UUID().uuidString)")
        let folder = FieldFolder(path: root.appendingPathComponent("records").path)
        let made = try FieldDatabase.create(at: folder, key: .keyFile)
        try Self.save(.site, count: Self.sites, in: made, body: Self.site)
        try Self.save(.inspection, count: Self.inspections, in: made, body: Self.inspection)
        try Self.save(.finding, count: Self.findings, in: made, body: Self.finding)
        try made.close()
        let day = CalendarDay(daysSince1970: 20_516)
        session = ShellSession(
            folder: folder.url.path,
            environment: ShellEnvironment(
                variables: ["USER": "mara"], now: { Timestamp(secondsSince1970: 1_772_619_307) }, today: { day },
                zone: .gmt),
            dialogue: SilentDialogue { _ in }, meter: NoProgressMeter())
        session.use = .command
        _ = try session.field()
    }

    deinit {
        try? session.close()
        try? FileManager.default.removeItem(at: root)
    }

    private static func save(
        _ kind: RecordKind, count: Int, in field: FieldDatabase, body: (Int) -> String
    ) throws {
        for start in stride(from: 0, to: count, by: 5_000) {
            let numbers = start..<min(start + 5_000, count)
            try field.collection(of: kind).save(
                bodies: numbers.map { ("\(kind.rawValue)-\($0)", envelope(kind) + Array(body($0).utf8)) })
        }
    }

    private static func envelope(_ kind: RecordKind) -> [UInt8] {
        Array(#"{"type":"\#(kind.rawValue)","schema":1,"district":"hill","channels":["district.hill"],"#.utf8)
    }

    private static func site(_ number: Int) -> String {
        let name = number.isMultiple(of: 1_000) ? "Taquería" : "Bakery"
        return #""name":"\#(name) \#(number)","address":{"street":"\#(number) Main Street"}}"#
    }

    private static func inspection(_ number: Int) -> String {
        let site = number % sites
        return #""site":"site-\#(site)","date":"\#(day(number))","status":"approved","score":\#(number % 101)}"#
    }

    private static func finding(_ number: Int) -> String {
        let (inspection, site) = (number % inspections, number % inspections % sites)
        return """
            "inspection":"inspection-\(inspection)","site":"site-\(site)","date":"\(day(inspection))",\
            "text":"Floor \(number) is not clean","risk":"low"}
            """
    }

    private static func day(_ number: Int) -> CalendarDay { CalendarDay(daysSince1970: 20_500 - number % 1_000) }
}
