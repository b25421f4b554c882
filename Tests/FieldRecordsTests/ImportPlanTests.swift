import DocumentValues
import FieldModels
import Testing

@testable import FieldRecords

@Suite struct ImportPlanTests {
    private static let sites = "business_id,name,address,city,state,postal_code,latitude,longitude,phone_number\n"
    private static let inspections = "business_id,score,date,type\n"
    private static let findings = "business_id,date,description\n"

    /// A row whose site cannot be looked up is imported into no other district.
    @Test func aDatabaseThatCannotBeReadEndsTheImport() throws {
        struct Unreadable: Error {}
        for read in [
            {
                try InspectionTable.read(
                    Array((Self.inspections + "7,90,20260304,Routine\n").utf8), file: "v", into: &$0)
            },
            { try FindingTable.read(Array((Self.findings + "7,20260304,Dust\n").utf8), file: "f", into: &$0) },
        ] as [(inout ImportPlan) throws -> Void] {
            var plan = ImportPlan()
            plan.knownDistrict = { _ in throw Unreadable() }
            #expect(throws: Unreadable.self) { try read(&plan) }
        }
    }

    private func plan(sites: String = "", inspections: String = "", findings: String = "") throws -> ImportPlan {
        var plan = ImportPlan()
        try SiteTable.read(Array((Self.sites + sites).utf8), file: "sites.csv", into: &plan)
        try InspectionTable.read(Array((Self.inspections + inspections).utf8), file: "visits.csv", into: &plan)
        try FindingTable.read(Array((Self.findings + findings).utf8), file: "findings.csv", into: &plan)
        return plan
    }

    private func notes(_ plan: ImportPlan) -> [String] {
        plan.report.notes.map { "\($0.file):\($0.line) \($0.kind.rawValue): \($0.what) → \($0.outcome)" }
    }

    @Test func joinsFindingsToInspectionsToSites() throws {
        let plan = try plan(
            sites: "19,Mill Café,1 Quay,Amble,CA,70112,47.5,-3.25,+14155550100\n",
            inspections: "19,94,20171211,routine\n",
            findings: "19,20171211,High risk vermin infestation  [ date violation corrected: 12/14/2017 ]\n")
        #expect(notes(plan).isEmpty)
        #expect(plan.records.map(\.id).prefix(2) == ["site-19", "inspection-19-2017-12-11"])
        let site = try Site(id: "s", body: plan.records[0].body)
        #expect(site.address.line == "1 Quay, Amble, CA 70112")
        #expect(site.location == Coordinates(latitude: 47.5, longitude: -3.25))
        let inspection = try Inspection(id: "i", body: plan.records[1].body)
        #expect(inspection.site == "site-19" && inspection.score == 94 && inspection.status == .approved)
        let finding = try Finding(id: "f", body: plan.records[2].body)
        #expect(finding.inspection == "inspection-19-2017-12-11")
        #expect(finding.text == "High risk vermin infestation" && finding.risk == .high)
        #expect(finding.corrected?.description == "2017-12-14")
        #expect([site.channels, inspection.channels, finding.channels].allSatisfy { $0 == ["district.70112"] })
    }

    @Test func namesEveryOddSite() throws {
        let plan = try plan(
            sites: """
                1,A,,,,,,,
                2,B,,,,941102019,,,
                3,C,,,,CA,,,
                4,D,,,,1/2,,,
                5,E,,,,70112,north,,12
                5,F,,,,70112,,,
                ,G,,,,70112,,,
                7,,,,,70112,,,
                8,H,,,,70112,1,2,,extra
                9,I
                """)
        #expect(
            notes(plan) == [
                "sites.csv:2 postalCodeMissing: no postal code → imported into the district 'unknown'",
                "sites.csv:3 postalCodeOdd: the postal code '941102019' is not one of five digits → "
                    + "imported into the district '941102019' as it is",
                "sites.csv:4 postalCodeOdd: the postal code 'CA' is not one of five digits → "
                    + "imported into the district 'CA' as it is",
                "sites.csv:5 postalCodeOdd: the postal code '1/2' cannot name a district → "
                    + "imported into the district 'unknown'",
                "sites.csv:6 valueOdd: 'north','' is no location on the earth → imported without a location",
                "sites.csv:6 valueOdd: '12' is no telephone number → kept as it is",
                "sites.csv:7 idTwice: the business_id 5 is in another row, too → "
                    + "imported as a site of its own; inspections go to the first",
                "sites.csv:8 leftOut: no business_id: ,G,,,,70112,,, → left out",
                "sites.csv:9 leftOut: no name: 7,,,,,70112,,, → left out",
                "sites.csv:10 fieldCount: 10 fields instead of 9 → imported without 'extra'",
                "sites.csv:11 fieldCount: 2 fields instead of 9 → the others taken as empty",
                "sites.csv:11 postalCodeMissing: no postal code → imported into the district 'unknown'",
            ])
        #expect(plan.records.count == 8)
        #expect(plan.report.counts[0].rows == 10 && plan.report.counts[0].leftOut == 2)
        #expect(plan.records.map(\.id).contains("site-5-2"))
    }

    @Test func namesEveryOddInspectionAndFinding() throws {
        let plan = try plan(
            sites: "1,A,,,,70112,,,\n",
            inspections: """
                1,91,20150924,routine
                1,96,20150924,complaint
                1,A+,20160101,surprise
                2,90,20160101,routine
                1,90,2016-02-30,routine
                """,
            findings: """
                1,20150924,Dirty floor
                1,20150924,Dirty floor
                1,20150925,Low risk vermin infestation [ date violation corrected: 12:21:17 PM ]
                1,20160101,Dirty wall [ date violation corrected: 1/1/2015 ]
                1,20160101,
                """)
        #expect(
            notes(plan) == [
                "visits.csv:3 sameSiteAndDay: site 1 was inspected on 2015-09-24 before → "
                    + "both kept; findings of the day go to the first",
                "visits.csv:4 valueOdd: 'A+' is no score from 0 to 100 → kept in the notes",
                "visits.csv:4 valueOdd: 'surprise' is no type of inspection → imported as routine, kept in the notes",
                "visits.csv:5 siteUnknown: its site is in no file and not in this database → "
                    + "imported into the district 'unknown'",
                "visits.csv:6 leftOut: no date such as 2017-12-11 or 20171211: 1,90,2016-02-30,routine → left out",
                "findings.csv:2 severalInspections: 2 inspections of site 1 on 2015-09-24 → "
                    + "joined to inspection-1-2015-09-24",
                "findings.csv:3 sameFindingTwice: the same text for the same site and day → both kept",
                "findings.csv:3 severalInspections: 2 inspections of site 1 on 2015-09-24 → "
                    + "joined to inspection-1-2015-09-24",
                "findings.csv:4 findingWithoutInspection: no inspection of site 1 on 2015-09-25 → "
                    + "kept, joined to its site only",
                "findings.csv:4 valueOdd: corrected '12:21:17 PM' is no day → kept in the notes",
                "findings.csv:5 valueOdd: corrected '1/1/2015' is before the finding → kept in the notes",
                "findings.csv:6 leftOut: no description: 1,20160101, → left out",
            ])
        let odd = try #require(plan.records.first { $0.id == "inspection-1-2016-01-01" })
        #expect(
            try Inspection(id: odd.id, body: odd.body).notes == "Score in visits.csv: A+\nType in visits.csv: surprise")
    }

    @Test func theSameRowsGiveTheSameRecords() throws {
        let sites = "1,A,,,,70112,,,\n", findings = "1,20150924,Dirty\n1,20150924,Dirty\n"
        let first = try plan(sites: sites, findings: findings)
        let second = try plan(sites: sites, findings: findings)
        #expect(first.records.map(\.id) == second.records.map(\.id))
        #expect(first.records.map(\.body) == second.records.map(\.body))
        #expect(Set(first.records.map(\.id)).count == first.records.count)
    }

    @Test func aCorrectionThatComesLaterUpdatesTheFinding() throws {
        let first = try plan(findings: "1,20150924,Dirty\n")
        let second = try plan(findings: "1,20150924,Dirty  [ date violation corrected: 9/25/2015 ]\n")
        #expect(first.records.map(\.id) == second.records.map(\.id))
        #expect(first.records.map(\.digest) != second.records.map(\.digest))
    }

    @Test func missingColumnsAreNamed() {
        var plan = ImportPlan()
        let error = #expect(throws: ImportError.self) {
            try SiteTable.read(Array("business_id,name,zip\n".utf8), file: "sites.csv", into: &plan)
        }
        #expect(
            error?.description
                == "sites.csv has no column address, no column city, no column state, no column postal_code; "
                + "it has business_id, name, zip. Say which columns they are: --map address=\"COLUMN\", "
                + "or --map address= where there is none. "
                + "Nothing was imported.")
        let empty = #expect(throws: ImportError.self) {
            try SiteTable.read([], file: "sites.csv", into: &plan)
        }
        #expect(empty?.description == "sites.csv is empty: it needs a first row with the names of its columns.")
    }

    @Test func columnsMayBeInAnyOrderAndCase() throws {
        var plan = ImportPlan()
        let text = " Postal Code ;NAME;Business_ID;city;state;address\n70112;Mill;7;;;\n"
        try SiteTable.read(Array(text.utf8), file: "sites.csv", into: &plan)
        #expect(try Site(id: "s", body: plan.records[0].body).name == "Mill")
        #expect(plan.records[0].id == "site-7" && plan.report.notes.isEmpty)
    }
}
