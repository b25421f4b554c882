import DocumentValues
import FieldModels
import Foundation
import Testing

/// Each kind of record against its JSON: a written record is read back, to the byte and with any coder.
@Suite struct RecordShapeTests {
    private func check<Record: FieldRecord>(
        _ record: Record, is json: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(String(decoding: record.body, as: UTF8.self) == json, sourceLocation: sourceLocation)
        #expect(try Record(id: record.id, body: Array(json.utf8)) == record, sourceLocation: sourceLocation)
        let coded = try JSONDecoder().decode(Record.self, from: JSONEncoder().encode(record))
        #expect(coded == record, sourceLocation: sourceLocation)
        #expect(record.problems().isEmpty, sourceLocation: sourceLocation)
    }

    @Test func site() throws {
        let harbour = try #require(District("harbour"))
        let address = Address(street: "12 Quay Street", city: "Port Amble", postalCode: "70112")
        var site = Site(id: "site-1", name: "Café Möwe", address: address, district: harbour)
        site.location = Coordinates(latitude: 47.5, longitude: -3.25)
        try check(
            site,
            is: #"{"type":"site","schema":1,"name":"Café Möwe","address":{"street":"12 Quay Street","#
                + #""city":"Port Amble","postalCode":"70112"},"location":{"latitude":47.5,"longitude":-3.25},"#
                + #""district":"harbour","channels":["district.harbour"]}"#)
    }

    @Test func inspection() throws {
        let day = try #require(CalendarDay("2026-03-04"))
        var inspection = Inspection(
            id: "inspection-1", site: "site-1", date: day, visit: .followUp, district: .unknown)
        inspection.score = 87
        inspection.answers = ["fridge": 4.5, "clean": true]
        let blob = BlobMetadata(digest: BlobDigest(of: [1, 2, 3]), length: 3, contentType: "image/png")
        inspection.photos = [Photo(name: "door.png", caption: "Front", blob: blob)]
        try check(
            inspection,
            is: #"{"type":"inspection","schema":1,"site":"site-1","date":"2026-03-04","visit":"followUp","#
                + #""status":"draft","score":87,"answers":{"fridge":4.5,"clean":true},"photos":[{"name":"door.png","#
                + #""caption":"Front","blob":{"@type":"blob","content_type":"image/png","#
                + #""digest":"sha1-cDeAcZjCKn0rCAc3HXY3eahP388=","length":3}}],"#
                + #""district":"unknown","channels":["district.unknown"]}"#)
    }

    @Test func finding() throws {
        let day = try #require(CalendarDay("2026-03-04"))
        var finding = Finding(
            id: "f", inspection: nil, site: "site-1", date: day, text: "No thermometer", district: .unknown)
        finding.risk = .moderate
        finding.corrected = day.adding(days: 3)
        try check(
            finding,
            is: #"{"type":"finding","schema":1,"site":"site-1","date":"2026-03-04","text":"No thermometer","#
                + #""risk":"moderate","corrected":"2026-03-07","district":"unknown","channels":["district.unknown"]}"#)
    }

    @Test func form() throws {
        let form = FormDefinition(
            id: "form-kitchen", name: "Kitchen",
            fields: [
                FormField("fridge", label: "Fridge °C", kind: .number, isRequired: true, minimum: -5, maximum: 12),
                FormField("pests", label: "Pests seen", kind: .yesNo),
                FormField(
                    "kind", label: "Which", kind: .choice, choices: ["mice", "flies"],
                    when: FormField.Condition(field: "pests", equals: true)),
            ])
        try check(
            form,
            is: #"{"type":"form","schema":1,"name":"Kitchen","version":1,"fields":["#
                + #"{"name":"fridge","label":"Fridge °C","kind":"number","required":true,"minimum":-5,"maximum":12},"#
                + #"{"name":"pests","label":"Pests seen","kind":"yesNo"},"#
                + #"{"name":"kind","label":"Which","kind":"choice","choices":["mice","flies"],"#
                + #""when":{"field":"pests","equals":true}}],"channels":["!"]}"#)
    }

    @Test func assignment() throws {
        let day = try #require(CalendarDay("2026-03-04"))
        let assignment = Assignment(id: "a", inspector: "mara", site: "site-1", due: day, district: .unknown)
        try check(
            assignment,
            is: #"{"type":"assignment","schema":1,"inspector":"mara","site":"site-1","due":"2026-03-04","#
                + #""status":"open","district":"unknown","channels":["district.unknown"]}"#)
    }

    @Test func response() throws {
        var response = Response(
            id: "r", form: "water_point", version: "7", instanceID: "uuid:8c6a", district: .unknown)
        response.formDigest = "sha256-00"
        response.instanceName = "Cove (2)"
        response.startedAt = Timestamp("2026-03-04T10:15:00Z")
        response.answers = ["village": "cove", "point": [["@key": "k3m9x2pq", "works": "yes"]]]
        response.seeds = ["/data/q": 123]
        response.skipped = ["/data/point[k3m9x2pq]/depth"]
        try check(
            response,
            is: #"{"type":"response","schema":1,"form":"water_point","formVersion":"7","formDigest":"sha256-00","#
                + #""state":"draft","instanceID":"uuid:8c6a","instanceName":"Cove (2)","#
                + #""startedAt":"2026-03-04T10:15:00Z","answers":{"village":"cove","#
                + #""point":[{"@key":"k3m9x2pq","works":"yes"}]},"@seeds":{"/data/q":123},"#
                + #""@skipped":["/data/point[k3m9x2pq]/depth"],"district":"unknown","channels":["district.unknown"]}"#)
    }

    @Test(arguments: ["", "8c6a", "uuid:"]) func aResponseHasAnInstanceID(text: String) {
        let response = Response(id: "r", form: "f", version: "1", instanceID: text, district: .unknown)
        #expect(response.problems().map(\.field) == ["instanceID"])
    }

    @Test func whatANewerVersionWroteIsKept() throws {
        let json =
            #"{"type":"site","schema":1,"name":"Mill","address":{"city":"Amble","floor":2},"#
            + #""location":{"latitude":1,"longitude":2,"accuracy":5},"#
            + #""district":"hill","channels":["district.hill","audit"],"colour":{"door":["red",1.50]}}"#
        var site = try Site(id: "s", body: Array(json.utf8))
        site.name = "Old mill"
        let expected = json.replacingOccurrences(of: "Mill", with: "Old mill")
        #expect(String(decoding: site.body, as: UTF8.self) == expected)
    }

    @Test func collectionsAreInOneScope() throws {
        #expect(Site.collection.description == "field.sites")
        let names = ["sites", "inspections", "findings", "forms", "assignments", "responses"]
        #expect(RecordKind.allCases.map(\.plural) == names)
        #expect(RecordKind(collection: try CollectionName(scope: "field", name: "forms")) == .form)
        #expect(RecordKind(collection: try CollectionName(name: "forms")) == nil)
    }
}
