import DocumentValues
import FieldModels
import Testing

@Suite struct ValidationTests {
    private static let envelope = #""district":"hill","channels":["district.hill"]"#

    /// JSON of a record and every problem that must be named, whether found when reading or when checking.
    private func check<Record: FieldRecord>(
        _: Record.Type, _ members: String, envelope: String = envelope, _ expected: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let json = "{" + [members, envelope].filter { !$0.isEmpty }.joined(separator: ",") + "}"
        var found: [String] = []
        do {
            found = try Record(id: "r", body: Array(json.utf8)).problems().map(\.description)
        } catch {
            found = error.problems.map(\.description)
        }
        #expect(found == expected, sourceLocation: sourceLocation)
    }

    @Test func sitesNameTheFieldAtFault() {
        check(Site.self, #""name":"Mill""#, [])
        check(Site.self, #""name":" ""#, ["name is empty"])
        check(Site.self, "", ["name is missing"])
        check(Site.self, #""name":7,"phone":[]"#, ["name must be text, but is 7", "phone must be text, but is []"])
        check(
            Site.self, #""name":"Mill","location":{"latitude":91,"longitude":-200}"#,
            [
                "location.latitude must be from -90 to 90, but is 91.0",
                "location.longitude must be from -180 to 180, but is -200.0",
            ])
        check(
            Site.self, #""name":"Mill","location":{"latitude":"north"}"#,
            [
                "location.latitude must be a number, but is 'north'",
                "location.latitude and longitude belong together",
            ])
    }

    @Test func inspectionsNameTheFieldAtFault() {
        let good = #""site":"s","date":"2026-03-04""#
        check(Inspection.self, good, [])
        check(Inspection.self, good + #","score":120"#, ["score must be from 0 to 100, but is 120"])
        check(Inspection.self, good + #","score":"high""#, ["score must be a whole number, but is 'high'"])
        check(
            Inspection.self, good + #","status":"lost""#,
            ["status must be one of: draft, submitted, returned, approved, but is 'lost'"])
        check(
            Inspection.self, #""site":"s","date":"2026-02-30""#,
            ["date must be a day such as 2026-03-04, but is '2026-02-30'"])
        check(
            Inspection.self, good + #","photos":[{"name":"a.png","blob":{"digest":"md5-1"}}]"#,
            ["photos[1].blob must be a blob with a digest such as sha1-…"])
        let digest = BlobDigest(of: []).text
        check(
            Inspection.self, good + #","photos":[{"name":"../x","blob":{"@type":"blob","digest":"\#(digest)"}}]"#,
            ["photos[1].name must be a file's name without a folder, but is '../x'"])
    }

    @Test func findingsNameTheFieldAtFault() {
        check(
            Finding.self, #""site":"s","date":"2026-03-04","text":"Dirty","corrected":"2026-03-01""#,
            ["corrected must not be before 2026-03-04, but is 2026-03-01"])
        check(Finding.self, #""site":"s","date":"2026-03-04""#, ["text is missing"])
    }

    @Test func formsNameTheFieldAtFault() {
        check(
            FormDefinition.self,
            #""name":"K","fields":[{"name":"a","kind":"choice"},{"name":"a","minimum":5,"maximum":1},"#
                + #"{"name":"b","when":{"field":"c","equals":true}}]"#,
            [
                "fields[1].choices is empty, so nothing can be chosen",
                "fields[2].minimum is 5.0, more than the maximum 1.0",
                "fields[2].name is there twice: 'a'",
                "fields[3].when.field must name a question that is asked before, but is 'c'",
            ])
    }

    @Test func aRecordMustReachItsDistrict() {
        check(
            Site.self, #""name":"Mill""#, envelope: #""district":"hill","channels":["district.shore"]"#,
            ["channels must hold district.hill, or nobody in the district gets the record"])
        check(
            Site.self, #""name":"Mill""#, envelope: "",
            ["district is missing", "channels is empty, so nobody would get the record"])
        check(
            Site.self, #""name":"Mill""#, envelope: #""district":"a b","channels":[]"#,
            [
                "district may have letters, digits, '-' and '_', but is 'a b'", "district is missing",
                "channels is empty, so nobody would get the record",
            ])
    }

    /// Records of others can have names that no user could give here; a message does not become as long.
    @Test func titlesAreLines() {
        let site = Site(id: "s", name: String(repeating: "n", count: 900_000), address: Address(), district: .unknown)
        #expect(site.title.unicodeScalars.count == 200 && site.title.hasSuffix("n…") && site.name.utf8.count == 900_000)
    }

    @Test func anotherKindOrANewerSchemaIsRefused() {
        check(Site.self, #""type":"form","name":"Mill""#, ["type must be 'site', but is 'form'"])
        check(
            Site.self, #""schema":2,"name":"Mill""#,
            ["schema was written by a newer Fieldbook (version 2 of the record); update this program"])
    }

    @Test func everyProblemIsNamedAtOnce() {
        let error = #expect(throws: RecordError.self) {
            try Inspection(id: "i", body: Array(#"{"score":"a","notes":1}"#.utf8))
        }
        #expect(
            error?.description
                == "inspection i: site is missing; date is missing; score must be a whole number, but is 'a'; "
                + "notes must be text, but is 1")
    }

    @Test(arguments: ["harbour", "94110", "CA", "a-b_c", "Süd"])
    func districtsNameChannels(code: String) throws {
        let district = try #require(District(code))
        #expect(district.channel == "district." + code)
        #expect(District(channel: district.channel) == district)
    }

    @Test(arguments: ["", "a b", "a.b", "a,b", "a/b", "*", "!", "\n", String(repeating: "x", count: 65)])
    func otherNamesAreNoDistricts(code: String) {
        #expect(District(code) == nil)
    }

    @Test func movingARecordChangesItsChannel() throws {
        let hill = try #require(District("hill"))
        var envelope = RecordEnvelope(district: hill)
        envelope.channels.append("audit")
        envelope.move(to: try #require(District("shore")))
        #expect(envelope.channels == ["district.shore", "audit"])
    }

    @Test func anInspectionCannotSkipAStep() {
        #expect(Inspection.Status.draft.next == [.submitted])
        #expect(Inspection.Status.submitted.next == [.approved, .returned])
        #expect(Inspection.Status.returned.next == [.submitted])
        #expect(Inspection.Status.approved.next.isEmpty)
    }
}
