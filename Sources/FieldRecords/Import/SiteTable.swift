import DocumentValues
import FieldModels

/// A register of sites: `business_id,name,address,city,state,postal_code`, and where known `latitude,longitude`,
/// `phone_number`, `district` and `notes`.
enum SiteTable {
    static let columns = ["business_id", "name", "address", "city", "state", "postal_code"]
    static let furtherColumns = ["latitude", "longitude", "phone_number", "district", "notes"]

    static func read(
        _ bytes: [UInt8], file: String, map: ColumnMap = ColumnMap(), into plan: inout ImportPlan
    ) throws {
        var table = try CSVTable(file: file, bytes: bytes, required: columns, map: map)
        var twins = try twins(in: table, plan: plan)
        plan.begin(file: file, kind: .site)
        while let row = table.next() {
            plan.beginRow(row, of: table)
            add(row, of: table, twins: &twins, to: &plan)
        }
    }

    private static func twins(in table: CSVTable, plan: ImportPlan) throws -> RegisterTwins {
        let rows = table.lookingAhead { row -> RegisterTwins.Row? in
            guard let number = row["business_id"], let name = row["name"] else { return nil }
            return RegisterTwins.Row(id: id(of: number), digest: SourceDigest.of(row.row.fields), name: name)
        }
        return try RegisterTwins(rows, isTaken: plan.isTaken, known: plan.knownSite)
    }

    /// Never one that a laptop makes: under those, others could make the site before it is imported.
    static func id(of number: String) -> String {
        let id = "site-" + RegisterID.part(of: number)
        return RecordIDs.isMade(id) ? id + "-" : id
    }

    private static func add(
        _ row: CSVTableRow, of table: CSVTable, twins: inout RegisterTwins, to plan: inout ImportPlan
    ) {
        guard let number = row["business_id"] else {
            return plan.leaveOut(row, of: table, column: "business_id", because: "no business_id")
        }
        guard let name = row["name"] else { return plan.leaveOut(row, of: table, column: "name", because: "no name") }
        let (id, isFirst) = unusedID(of: number, twins: &twins, in: &plan)
        if !isFirst {
            plan.note(
                .idTwice, table: table, row: row, record: id, what: "the business_id \(number) is in another row, too",
                outcome: "imported as a site of its own; inspections go to the first")
        }
        let district = district(of: row, id: id, table, plan: &plan)
        let address = Address(
            street: row["address"], city: row["city"], state: row["state"], postalCode: row["postal_code"])
        var site = Site(id: id, name: name, address: address, district: district)
        site.location = coordinates(of: row, id: id, table, plan: &plan)
        site.phone = phone(of: row, id: id, table, plan: &plan)
        site.notes = row["notes"]
        plan.remember(district, ofSite: id)
        plan.add(site, from: row, of: table)
    }

    private static func unusedID(
        of number: String, twins: inout RegisterTwins, in plan: inout ImportPlan
    ) -> (id: String, isFirst: Bool) {
        let alone = id(of: number)
        guard let id = twins.next(alone) else { return plan.unusedID(alone) }
        plan.take(id)
        guard twins.alone.contains(Name(alone)) else { return (id, id.isExactly(alone)) }
        plan.remember(site: id, ofRegister: alone)
        return (id, true)
    }

    /// The column `district` where the table has one; else the postal code is the district. One that is missing or has
    /// another form keeps its record, in a district of its own, so that no user gets a record by mistake.
    private static func district(
        of row: CSVTableRow, id: String, _ table: CSVTable, plan: inout ImportPlan
    ) -> District {
        guard table.has("district") else { return postalDistrict(of: row, id: id, table, plan: &plan) }
        if let district = row["district"].flatMap({ District($0) }) { return district }
        let what =
            row["district"].map { "the district '\($0.shortened)' has more than letters, digits, '-' and '_'" }
            ?? "no district"
        plan.note(
            .valueOdd, table: table, row: row, record: id, column: "district", what: what,
            outcome: "imported into the district '\(District.unknown)'")
        return .unknown
    }

    private static func postalDistrict(
        of row: CSVTableRow, id: String, _ table: CSVTable, plan: inout ImportPlan
    ) -> District {
        guard let code = row["postal_code"] else {
            plan.note(
                .postalCodeMissing, table: table, row: row, record: id, what: "no postal code",
                outcome: "imported into the district '\(District.unknown)'")
            return .unknown
        }
        let plain = code.replacing(" ", with: "")
        guard let district = District(plain) else {
            plan.note(
                .postalCodeOdd, table: table, row: row, record: id,
                what: "the postal code '\(code.shortened)' cannot name a district",
                outcome: "imported into the district '\(District.unknown)'")
            return .unknown
        }
        let isUsual = plain.utf8.count == 5 && plain.utf8.allSatisfy { (0x30...0x39).contains($0) } && plain != "00000"
        if !isUsual {
            let why = plain == "00000" ? "means none" : "is not one of five digits"
            plan.note(
                .postalCodeOdd, table: table, row: row, record: id, what: "the postal code '\(code)' \(why)",
                outcome: "imported into the district '\(district)' as it is")
        }
        return district
    }

    private static func coordinates(
        of row: CSVTableRow, id: String, _ table: CSVTable, plan: inout ImportPlan
    ) -> Coordinates? {
        let texts = (row["latitude"], row["longitude"])
        guard texts.0 != nil || texts.1 != nil else { return nil }
        if let latitude = texts.0.flatMap(Double.init), let longitude = texts.1.flatMap(Double.init),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        {
            return Coordinates(latitude: latitude, longitude: longitude)
        }
        plan.note(
            .valueOdd, table: table, row: row, record: id,
            what: "'\(texts.0 ?? "")','\(texts.1 ?? "")' is no location on the earth",
            outcome: "imported without a location")
        return nil
    }

    /// Digits with a plus sign; other text is kept, too, since a person may still understand it.
    private static func phone(
        of row: CSVTableRow, id: String, _ table: CSVTable, plan: inout ImportPlan
    ) -> String? {
        guard let phone = row["phone_number"] else { return nil }
        let isUsual = phone.utf8.count >= 8 && phone.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
        if !isUsual {
            plan.note(
                .valueOdd, table: table, row: row, record: id, what: "'\(phone)' is no telephone number",
                outcome: "kept as it is")
        }
        return phone
    }
}
