// Makes the sample data: four districts of a town that does not exist, from one seed, so that every run gives the same
// files.  Usage:  swiftc generate.swift -o /tmp/generate && /tmp/generate .
import Foundation

let target = URL(fileURLWithPath: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ".")

struct Generator {
    var state: UInt64 = 20_261_121

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[next(elements.count)] }
}

var random = Generator()

func quoted(_ text: String) -> String {
    "\"" + text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"") + "\""
}

func day(_ number: Int) -> String {
    // Days of 2026, month lengths of a common year.
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var rest = number
    var month = 0
    while rest >= lengths[month] {
        rest -= lengths[month]
        month += 1
    }
    return String(format: "2026-%02d-%02d", month + 1, rest + 1)
}

// MARK: - Places

let districts = [
    ("harbour", "45011", ["Quay Street", "Ropewalk", "Harbour Row", "Lantern Steps"]),
    ("mill", "45012", ["Mill Lane", "Weaver Street", "Sluice Road", "Tenter Field"]),
    ("orchard", "45013", ["Orchard Way", "Pear Tree Close", "Cider Street", "Blossom Hill"]),
    ("quarry", "45014", ["Quarry Road", "Slate Street", "Mason Court", "Upper Cutting"]),
]
let kinds = [
    ("kitchen", ["Café", "Bakery", "Canteen", "Fish Bar", "Tea Room", "Noodle House", "Kitchen"]),
    ("playground", ["Playground", "Play Yard", "Adventure Ground"]),
    ("well", ["Well", "Pump House", "Spring"]),
]
let names = [
    "Amber", "Beacon", "Copper", "Dove", "Ember", "Fern", "Gull", "Hazel", "Ivy", "Juniper", "Kestrel", "Linden",
    "Marlow",
    "Nettle", "Otter", "Plover", "Quince", "Rowan", "Sorrel", "Thistle",
]
let inspectors = ["harbour": "mara", "mill": "mara", "orchard": "tomas", "quarry": "tomas"]

struct Site {
    let id: String
    let district: String
    let kind: String
}

var sites: [Site] = []
var siteLines: [String] = []
for (districtIndex, (district, postalCode, streets)) in districts.enumerated() {
    for index in 0..<16 {
        let (kind, nouns) = kinds[index < 10 ? 0 : index < 13 ? 1 : 2]
        let id = String(format: "site-%@-%02d", district, index + 1)
        let name = "\(names[(index + districtIndex * 5) % names.count]) \(nouns[index % nouns.count])"
        let street = "\(random.next(90) + 1) \(streets[index % streets.count])"
        let latitude = 51.2 + Double(districtIndex) * 0.01 + Double(random.next(1_000)) / 100_000
        let longitude = 3.1 + Double(random.next(2_000)) / 100_000
        sites.append(Site(id: id, district: district, kind: kind))
        siteLines.append(
            """
            {"_id":\(quoted(id)),"type":"site","schema":1,"name":\(quoted(name)),\
            "address":{"street":\(quoted(street)),"city":"Port Amble","postalCode":\(quoted(postalCode))},\
            "location":{"latitude":\(String(format: "%.5f", latitude)),\
            "longitude":\(String(format: "%.5f", longitude))},\
            "district":\(quoted(district)),"channels":["district.\(district)"]}
            """)
    }
}

// MARK: - Forms

let formLines = [
    """
    {"_id":"form-kitchen","type":"form","schema":1,"name":"Kitchen hygiene","version":1,"fields":[\
    {"name":"fridge","label":"Fridge temperature (°C)","kind":"number",\
    "required":true,"minimum":-5,"maximum":25},\
    {"name":"hands","label":"Hand basin with soap","kind":"yesNo","required":true},\
    {"name":"pests","label":"Signs of pests","kind":"yesNo","required":true},\
    {"name":"pestKind","label":"Which pests","kind":"choice","required":true,"choices":["mice","rats",\
    "insects"],"when":{"field":"pests","equals":true}},\
    {"name":"remarks","label":"Remarks","kind":"text"}],"channels":["!"]}
    """,
    """
    {"_id":"form-playground","type":"form","schema":1,"name":"Playground safety","version":1,"fields":[\
    {"name":"surface","label":"Ground under the frames","kind":"choice",\
    "required":true,"choices":["good","worn","bare"]},\
    {"name":"bolts","label":"Loose bolts","kind":"whole","required":true,"minimum":0,"maximum":50},\
    {"name":"sharp","label":"Sharp edges","kind":"yesNo","required":true}],"channels":["!"]}
    """,
    """
    {"_id":"form-well","type":"form","schema":1,"name":"Water point","version":1,"fields":[\
    {"name":"clear","label":"Water is clear","kind":"yesNo","required":true},\
    {"name":"chlorine","label":"Chlorine (mg/l)","kind":"number",\
    "required":true,"minimum":0,"maximum":5},\
    {"name":"sample","label":"Sample taken on","kind":"day"}],"channels":["!"]}
    """,
]

// MARK: - Inspections and findings

let problems = [
    "kitchen": [
        "No thermometer in the cold store", "Raw meat above salad", "Extractor filter not cleaned",
        "Hand basin blocked",
        "Allergen list out of date", "Door seal of the fridge torn",
    ],
    "playground": ["Swing chain worn to half", "Fence open to the road", "Splinters on the climbing frame"],
    "well": ["Cover not locked", "Puddle at the pump's foot", "Chlorine below 0.2 mg/l"],
]
var inspectionLines: [String] = []
var findingLines: [String] = []
for number in 0..<240 {
    let site = sites[number % sites.count]
    let id = String(format: "inspection-%03d", number + 1)
    let date = day(5 + number + random.next(3))
    let count = random.next(4)
    let score = 100 - count * 7 - random.next(6)
    let answers =
        switch site.kind {
        case "kitchen":
            "{\"fridge\":\(Double(20 + random.next(60)) / 10),\"hands\":\(random.next(8) > 0),\"pests\":false}"
        case "playground":
            """
            {"surface":\(quoted(random.pick(["good", "worn", "bare"]))),"bolts":\(random.next(6)),\
            "sharp":\(random.next(6) == 0)}
            """
        default: "{\"clear\":true,\"chlorine\":\(Double(random.next(20)) / 10)}"
        }
    let status = number < 200 ? "approved" : number < 232 ? "submitted" : "draft"
    let inspector = inspectors[site.district] ?? "mara"
    inspectionLines.append(
        """
        {"_id":\(quoted(id)),"type":"inspection","schema":1,"site":\(quoted(site.id)),"date":"\(date)",\
        "visit":\(quoted(random.pick(["routine", "routine", "routine", "complaint", "followUp"]))),\
        "status":"\(status)",\
        "inspector":"\(inspector)","score":\(score),"form":"form-\(site.kind)","answers":\(answers),\
        "district":\(quoted(site.district)),"channels":["district.\(site.district)"]}
        """)
    for index in 0..<count {
        findingLines.append(
            """
            {"_id":"finding-\(String(format: "%03d", number + 1))-\(index + 1)","type":"finding","schema":1,\
            "inspection":\(quoted(id)),"site":\(quoted(site.id)),"date":"\(date)",\
            "text":\(quoted(random.pick(problems[site.kind] ?? []))),\
            "risk":\(quoted(random.pick(["low", "moderate", "high"]))),\
            "district":\(quoted(site.district)),"channels":["district.\(site.district)"]}
            """)
    }
}

let assignmentLines = (0..<12).map { number -> String in
    let site = sites[(number * 5) % sites.count]
    return """
        {"_id":"assignment-\(number + 1)","type":"assignment","schema":1,\
        "inspector":"\(inspectors[site.district] ?? "mara")",\
        "site":\(quoted(site.id)),"form":"form-\(site.kind)","due":"\(day(300 + number))","status":"open",\
        "district":\(quoted(site.district)),"channels":["district.\(site.district)"]}
        """
}

for (name, lines) in [
    ("sites", siteLines), ("forms", formLines), ("inspections", inspectionLines), ("findings", findingLines),
    ("assignments", assignmentLines),
] {
    let text = lines.joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: target.appendingPathComponent("\(name).jsonl"))
}

// MARK: - Pictures

/// A PNG of 8-bit colours whose deflate stream is stored blocks: larger than it could be, and readable everywhere.
func png(width: Int, height: Int, pixel: (Int, Int) -> (UInt8, UInt8, UInt8)) -> Data {
    var raw: [UInt8] = []
    for y in 0..<height {
        raw.append(0)
        for x in 0..<width {
            let (red, green, blue) = pixel(x, y)
            raw += [red, green, blue]
        }
    }
    var stream: [UInt8] = [0x78, 0x01]
    var offset = 0
    while offset < raw.count {
        let length = min(65_535, raw.count - offset)
        stream.append(offset + length == raw.count ? 1 : 0)
        stream += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8((~length >> 8) & 0xFF)]
        stream += raw[offset..<offset + length]
        offset += length
    }
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in raw {
        a = (a + UInt32(byte)) % 65_521
        b = (b + a) % 65_521
    }
    stream += bigEndian(b << 16 | a)
    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    file += chunk("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0])
    file += chunk("IDAT", stream) + chunk("IEND", [])
    return file
}

func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

let crcTable = (0..<256).map { index -> UInt32 in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
}

func chunk(_ type: String, _ content: [UInt8]) -> Data {
    let body = Array(type.utf8) + content
    let crc = ~body.reduce(~UInt32(0)) { crcTable[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    return Data(bigEndian(UInt32(content.count)) + body + bigEndian(crc))
}

let photos = target.appendingPathComponent("photos")
try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
let scenes = [
    "back-door", "cold-store", "counter", "extractor", "fence", "frame", "front", "hand-basin", "pump", "swing",
    "well-cover",
    "yard",
]
for (index, scene) in scenes.enumerated() {
    let (hue, size) = (index * 20, 64)
    let data = png(width: size, height: size) { x, y in
        let isSky = y < size / 2 - (x * (index % 5)) / 16
        let isHouse = x > 14 && x < 50 && y > 18 + index && y < 54
        let isDoor = x > 26 && x < 36 && y > 36 && y < 54
        if isDoor { return (90, 50, UInt8(30 + index * 5)) }
        if isHouse { return (UInt8(160 + index * 5), UInt8(140 + (x * 2) % 40), 110) }
        return isSky ? (UInt8(120 + hue / 4), 170, UInt8(200 + y % 40)) : (80, UInt8(120 + (x + y) % 50), 70)
    }
    try data.write(to: photos.appendingPathComponent("\(scene).png"))
}
