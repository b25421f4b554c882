// Decides who may write a record of the field database, and which channels it goes to.
//
// An inspector writes records of the districts granted to them. A supervisor also approves and returns inspections,
// assigns work, moves records of others to other districts, and deletes them. The office also writes forms and what
// everybody sees, and takes over records that others created (registers of earlier years). Administrators may do all
// of it.
function (doc, oldDoc, meta) {
    // The records of this collection, which the function does not know: "field init" names them here. "" are all kinds.
    var kind = "";
    var kinds = ["site", "inspection", "finding", "form", "assignment"];
    var statuses = {inspection: ["draft", "submitted", "approved", "returned"], assignment: ["open", "done", "dropped"]};
    var everybody = ["!", "*"];
    // What a record may have, for laptops have to add to it: approvals, values that are open, a journal of its own.
    // An approval notes the findings that it saw, and a return says why: nobody fills an inspection up against that.
    // Of letters, values and files colleagues may fill a half, and supervisors add as much again: what somebody fills up, its owner
    // can still hand in, and somebody can still put right.
    // Values take this function's time, which a write over a large record has to share with reading that one.
    // What laptops note of whose each field is (three values for one) has room of its own: a merge notes all that somebody has
    // filled a record with, and that may be as much as it has.
    var limits = {
        letters: 1000000, reviewedLetters: 4000000, values: 20000, reviewedValues: 40000, levels: 200, files: 1000, fileNames: 2000,
        notedValues: 80000, notedLetters: 2000000, megabytesByColleagues: 200, deletionLetters: 4000
    };

    function refuse(reason) { throw({forbidden: reason}); }
    function passes(requirement, value) {
        try { requirement(value); } catch (refusal) { return false; }
        return true;
    }
    // Numbers that the engine does not hold come as texts, which laptops do not read as such. A text that is spelled like none of
    // them is a text, whatever it looks like: it may be somebody's name.
    var numbersAsTexts = Object.create(null);
    (meta && Array.isArray(meta.numbersAsTexts) ? meta.numbersAsTexts : []).forEach(function (number) {
        numbersAsTexts[number] = true;
    });
    function isNumberAsText(text) { return numbersAsTexts[text] === true; }
    function isString(value) { return typeof value === "string" && !isNumberAsText(value); }
    function isText(value) { return isString(value) && value !== ""; }
    function isWriter(name) { return isText(name) && passes(requireUser, name); }
    // What makes no text ends this function, and not only the write.
    function shown(value) { return isText(value) ? value : "(no text)"; }
    function isOneOf(list, value) { return list.indexOf(value) >= 0; }

    var isAdmin = passes(requireAdmin);
    var isOffice = passes(requireRole, "office");
    var isSupervisor = isOffice || passes(requireRole, "supervisor");

    // Whose work it is; "" where nobody is named. In other records a member of that name means nothing.
    function inspector(record) {
        return isOneOf(["inspection", "assignment"], record.type) && isText(record.inspector) ? record.inspector : "";
    }

    // A record is its creator's, or its inspector's where it names no creator. One that names neither, such as a finding
    // of an old register, is everybody's; a site is not, since the records of many refer to it.
    function belongsToWriter(record) {
        if (isText(record.createdBy)) { return isWriter(record.createdBy); }
        if (inspector(record)) { return isWriter(inspector(record)); }
        return record.type !== "site";
    }

    // Whose work a record is: what others wrote into it, they do not take away.
    function isWorkOfWriter(record) { return belongsToWriter(record) || isWriter(inspector(record)); }

    function checkChannel(name) {
        if (isOneOf(everybody, name)) {
            if (!isOffice) { refuse("only the office writes what everybody sees"); }
        } else if (!passes(requireAccess, [name, "*"])) {
            var isDistrict = name.indexOf("district.") === 0;
            refuse(isDistrict ? "the district " + name.substring(9) + " is not one of yours"
                : "the channel " + name + " is not one of yours");
        }
    }

    // A record in several districts belongs to the people of each: what somebody adds shuts nobody out.
    function checkStored(record) {
        var channels = [].concat(record.channels).filter(isText);
        if (channels.length === 0 && !passes(requireAccess, "*")) { refuse("the record is in no district of yours"); }
        channels.filter(function (name) { return isOneOf(everybody, name); }).forEach(checkChannel);
        if (channels.length > 0 && !passes(requireAccess, channels.concat("*"))) { checkChannel(channels[0]); }
    }

    function checkChannels(record) {
        if (!Array.isArray(record.channels) || record.channels.length === 0) {
            refuse("the record names no channel, so nobody would get it");
        }
        if (!record.channels.every(isText)) { refuse("the record's channels are not a list of names"); }
    }

    // Channels that a record gets or loses have to be the writer's.
    function checkMove(record, old) {
        var before = old ? channelsOf(old) : [];
        var moved = without(record.channels, before).concat(without(before, record.channels));
        moved.forEach(checkChannel);
        // An inspection takes the findings of others along, which stay with those who have them.
        var isShared = record.type === "finding" && without(before, record.channels).length === 0;
        if (old && moved.length > 0 && !isSupervisor && !isWorkOfWriter(old) && !isShared) {
            refuse("only a supervisor moves records of others to other districts");
        }
    }

    function channelsOf(record) { return [].concat(record.channels).filter(isText); }

    function without(names, others) {
        var known = Object.create(null);
        others.forEach(function (name) { known[name] = true; });
        return names.filter(function (name) { return known[name] !== true; });
    }

    function checkDeletion(record) {
        if (record.type === "form" && !isOffice) { refuse("only the office deletes forms"); }
        if (isSupervisor) { return; }
        if (record.status === "approved") { refuse("only a supervisor deletes what is approved"); }
        if (record.type === "assignment") { refuse("only a supervisor deletes assignments"); }
        // Who has made it, or brought it back when it was deleted before, is its creator; the work is its inspector's.
        var isOfWriter = inspector(record) === "" ? belongsToWriter(record) : isWriter(inspector(record));
        if (!isOfWriter) { refuse("only a supervisor deletes records of others"); }
    }

    // A gateway that was restored from a backup has not what was made since, and colleagues have it: they hear of its deletion
    // by the channels that the deletion names. One that is not the writer's is left out, for laptops would otherwise keep
    // deletions that they can never send. Whose the record was nobody can look up here: colleagues hear of it where the writer says
    // that it was theirs, and the laptop of who has made it knows better.
    // Where the record is here, its channels hear of it anyway. Those that the deletion names show it as it is: a laptop that has
    // received it names them, too, when it is the first to send it on to a gateway that has lost it.
    function announceDeletion(deletion, old) {
        if (old) {
            var others = without(channelsOf(deletion), channelsOf(old));
            channel(without(channelsOf(deletion), others));
            return;
        }
        if (!isAdmin && !isSupervisor && !isWriter(deletion.createdBy)) { return; }
        channel(channelsOf(deletion).filter(function (name) {
            return isAdmin || (isOneOf(everybody, name) ? isOffice : passes(requireAccess, [name, "*"]));
        }));
    }

    // A laptop's deletion says who created the record. Other laptops go by that, so it is true where that can be seen; and a
    // gateway that has lost somebody's record does not take its deletion from those who could not delete it before.
    function checkCreatorOfDeletion(deletion, old, isNew) {
        var creator = member(deletion, "createdBy");
        if (isSupervisor || isMissing(creator)) { return; }
        var isTrue = old ? isSame(creator, member(old, "createdBy")) : !isNew || isWriter(creator);
        if (!isTrue) { refuse("only a supervisor deletes records of others"); }
    }

    // What else is in it would be nobody's, and nobody would ever see or remove it.
    function checkContentOfDeletion(deletion) {
        var own = ["_id", "_rev", "_deleted", "_revisions", "_attachments", "_cv"];
        var content = Object.keys(deletion).filter(function (key) { return !isOneOf(own, key); });
        var size = content.reduce(function (sum, key) {
            return sum + key.length + JSON.stringify(deletion[key]).length;
        }, 0);
        if (size > limits.deletionLetters) {
            refuse("the deletion has more than " + limits.deletionLetters + " letters of content");
        }
        if (isObject(deletion._attachments) && Object.keys(deletion._attachments).length > 0) {
            refuse("the deletion has files");
        }
    }

    function checkKind(record, old) {
        if (!isOneOf(kinds, record.type)) { refuse("there is no kind of record named " + shown(record.type)); }
        if (kind && record.type !== kind) { refuse("a " + record.type + " does not belong to the " + kind + "s"); }
        if (old && record.type !== old.type) { refuse("a " + shown(old.type) + " does not become a " + record.type); }
        if (record.type === "form" && !isOffice) { refuse("only the office writes forms"); }
    }

    // What comes back over a deletion is from then on the record of the person who brings it back: whose it was cannot be
    // looked up any more, and people could write records in the name of others over deletions of their own.
    function checkCreator(record, old) {
        if (isOffice) { return; }
        if (old) {
            if (record.createdBy !== old.createdBy) { refuse("who created a record does not change"); }
            var created = moment(member(old, "createdAt"));
            if (created && moment(member(record, "createdAt")) !== created && !belongsToWriter(old)) {
                refuse("when a record of somebody else was created does not change");
            }
        } else if (!isText(record.createdBy)) {
            refuse("the record does not say who created it");
        } else if (!isWriter(record.createdBy)) {
            refuse("the record says that " + record.createdBy + " created it, and you are somebody else");
        }
    }

    // A merge takes it from either version: from the writer's own, or from the one that is here. That is taken as a whole:
    // nobody says of somebody else that they changed a record at another time, or on another device.
    function checkChanger(record, old) {
        if (isOffice || isWriter(record.changedBy)) { return; }
        if (record.changedBy === undefined) { checkUnnamed(record, old); } else { checkOtherChanger(record, old); }
        // A merge that comes to what is here, but for the questions that are left open, brings along who has changed that.
        if (!old || isUnnamedCreator(record)) { return; }
        if (!changesOnly(["conflicts"], rewritten(record), rewritten(old))) {
            refuse("the record is changed, and does not say that you changed it");
        }
        if (!hasSame(["fieldChanges"], record, old)) {
            refuse("the record says otherwise who changed its fields, and not that you changed it");
        }
        var isAsked = sameAsOneOf(questions(record).map(question));
        if (!questions(old).every(function (entry) { return isAsked(question(entry)); })) {
            refuse("the record is decided about, and does not say that you decided it");
        }
    }

    function checkOtherChanger(record, old) {
        // Laptops send what is not here as a record of the writer's then.
        if (!old) { refuse("the record says that " + shown(record.changedBy) + " changed it last, and you are somebody else"); }
        if (record.changedBy !== old.changedBy) {
            refuse("the record says that " + shown(record.changedBy) + " changed it last, and you are somebody else, as it is here");
        }
        if (!hasSame(["changedAt", "device"], record, old)) {
            refuse("when " + shown(record.changedBy) + " changed the record does not change");
        }
    }

    // A record that does not say who changed it is read as its creator's, who made it on that device.
    function isUnnamedCreator(record) { return record.changedBy === undefined && isWriter(record.createdBy); }

    function checkUnnamed(record, old) {
        // A creator says nothing of what somebody else has changed: who leaves that name out would hide whose work is overwritten.
        var last = old ? member(old, "changedBy") : undefined;
        if (isUnnamedCreator(record) && (isMissing(last) || isWriter(last))) { return; }
        var isDated = !isMissing(record.changedAt) || !isMissing(record.device);
        if (isDated && !(old && hasSame(["changedBy", "changedAt", "device"], record, old))) {
            refuse("the record says when or on which device it was changed, and not who changed it");
        }
        // Otherwise what somebody else has changed would be read as its creator's.
        if (!isMissing(last)) { refuse("the record does not say any more who changed it last"); }
    }

    function hasSame(names, record, old) {
        return names.every(function (name) { return isSame(member(record, name), member(old, name)); });
    }

    // Laptops take no documents under such ids, and only an administrator could remove them.
    function checkID(id) {
        if (/[\u0000-\u001f\u007f]/.test(id)) { refuse("the record's id has control characters"); }
    }

    // Registers have ids that can be guessed: a person who used one before the office imports its record would be its
    // creator, and choose its district. So others make records under ids that are made at random, as laptops do, and delete no
    // other that is not here: a deletion could be written over.
    function checkNewID(id, does) {
        var made = new RegExp("^(" + (kind || kinds.join("|")) + ")-[02-9a-hjkmnp-z]{10}$");
        if (isOffice || made.test(id)) { return; }
        refuse("only the office " + does + " under an id that no laptop makes: " + id);
    }

    // A record that expires is deleted later, and nobody asks this function then. Gateways that do not say what the
    // request asks for keep at least the record.
    function checkExpiry() {
        if (isSupervisor) { return; }
        if (meta && meta.expiry) { refuse("only a supervisor lets records expire"); }
        expiry(0);
    }

    function isNumber(value) { return typeof value === "number"; }
    function isWhole(value) {
        return isNumber(value) && Math.floor(value) === value && Math.abs(value) <= 9007199254740991;
    }
    function isMissing(value) { return value === undefined || value === null; }
    function isDigest(value) { return isString(value) && /^sha1-[A-Za-z0-9+\/]{26}[AEIMQUYcgkosw048]=$/.test(value); }
    function oneOf(words) { return function (value) { return isOneOf(words, value); }; }

    function isDay(value) {
        var parts = isString(value) && (/^(\d{4})-(\d\d)-(\d\d)$/.exec(value) || /^(\d{4})(\d\d)(\d\d)$/.exec(value));
        if (!parts) { return false; }
        var year = Number(parts[1]), month = Number(parts[2]), day = Number(parts[3]);
        var isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
        var days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
    }

    function isMoment(value) {
        var parts = isString(value) && /^(.{10})T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d*)?Z$/.exec(value);
        return parts && parts[1].charAt(4) === "-" && isDay(parts[1]);
    }

    // An object in which some members must be there, and some may be.
    function hasMembers(value, needed, possible) {
        return isObject(value)
            && Object.keys(needed).every(function (key) { return needed[key](member(value, key)); })
            && Object.keys(possible || {}).every(function (key) {
                return isMissing(member(value, key)) || possible[key](member(value, key));
            });
    }

    function isPhoto(photo) {
        return hasMembers(
            photo, {name: isText, blob: isBlob}, {caption: isString, takenAt: isMoment, attachedAt: isMoment});
    }
    function isBlob(value) {
        return isObject(value) && member(value, "@type") === "blob" && isDigest(member(value, "digest"));
    }
    function isAddress(value) {
        return hasMembers(value, {}, {street: isString, city: isString, state: isString, postalCode: isString});
    }
    function isLocation(value) { return hasMembers(value, {latitude: isNumber, longitude: isNumber}); }
    // What an approval noted of the findings: texts by their ids, or one digest where they are too many for a record.
    function isDigests(value) {
        if (isDigest(value)) { return true; }
        return isObject(value) && Object.keys(value).every(function (key) { return isText(value[key]); });
    }
    // Of another record. No longer than ids are: laptops show it where they do not have that record.
    function isReference(value) { return isString(value) && value.length <= 250; }
    function isTexts(value) { return Array.isArray(value) && value.every(isText); }
    function isSource(value) { return hasMembers(value, {file: isString, digest: isString}); }
    // Laptops of this version read records of its schema; a newer one hides a record from all of them.
    function isSchema(value) { return isWhole(value) && value <= 1; }

    // What laptops read, and what a record makes no sense without: a new one has that, and nobody takes it away.
    var members = {
        site: {name: isString, address: isAddress, location: isLocation, phone: isString, notes: isString},
        inspection: {
            site: isReference, date: isDay, visit: oneOf(["routine", "complaint", "followUp", "opening"]),
            inspector: isString, score: isWhole, form: isReference, assignment: isReference, answers: isObject,
            notes: isString, submittedAt: isMoment, review: isString, approvedFindings: isDigests,
            approvedPhotos: isTexts
        },
        finding: {
            inspection: isReference, site: isReference, date: isDay, text: isString, risk: oneOf(["low", "moderate", "high"]),
            corrected: isDay, notes: isString
        },
        assignment: {
            inspector: isString, site: isReference, due: isDay, form: isReference, instructions: isString,
            inspection: isReference
        },
        form: {name: isString, version: isWhole, fields: Array.isArray}
    };
    var ofAll = {
        schema: isSchema, district: isDistrict, createdBy: isString, createdAt: isMoment, changedBy: isString,
        changedAt: isMoment, device: isString, source: isSource
    };
    var vital = {
        site: ["name"], inspection: ["site", "date", "status"], finding: ["site", "date", "text"],
        assignment: ["inspector", "site", "due"], form: ["name"]
    };

    // A district's people get its records by its channel.
    function isDistrict(value) {
        return isText(value) && isOneOf(doc.channels, "district." + value);
    }

    // What was wrong before passes, so that a person can set the rest right.
    function checkMembers(record, old) {
        function check(types) {
            Object.keys(types).forEach(function (key) {
                var value = member(record, key);
                if (isMissing(value) || types[key](value) || (old && isSame(value, member(old, key)))) { return; }
                refuse("the record's " + key + " is not what laptops can read");
            });
        }
        check(ofAll);
        check(members[record.type]);
        if (old) { checkIsKept(record, old); } else { checkIsWhole(record); }
        checkLimits(record, old);
        checkPhotos(record, old);
        checkEntries("conflicts", record, old);
        checkEntries("fieldChanges", record, old);
        checkBlobs(record, old);
    }

    function checkIsKept(record, old) {
        vital[record.type].concat("district").forEach(function (key) {
            if (isMissing(member(record, key) || null) && !isMissing(member(old, key) || null)) {
                refuse("the record's " + key + " cannot be taken away");
            }
        });
    }

    // Nobody in the district could show, mend or delete it. A laptop takes an inspection without a status for a draft.
    function checkIsWhole(record) {
        vital[record.type].forEach(function (key) {
            if (key !== "status" && isMissing(member(record, key))) {
                refuse("the record has no " + key + ", and no laptop can read it without");
            }
        });
    }

    // What was larger before may stay so, and get smaller.
    function checkLimits(record, old) {
        var names = Object.keys(record).filter(function (key) { return key !== "_attachments"; });
        if (!names.every(function (key) { return isFlat(record[key], limits.levels - 1); })) {
            refuse("the record is nested more than " + limits.levels + " levels deep");
        }
        var isReview = isSupervisor && record.type === "inspection";
        var share = isSupervisor ? 2 : old && !isWorkOfWriter(old) ? 0.5 : 1;
        var mostValues = isReview ? limits.reviewedValues : share * limits.values;
        // An approval notes the findings, also those of colleagues: it has to fit.
        var counted = withoutNotes(record, isReview), before = old && withoutNotes(old, isReview);
        if (hasMoreValues(counted, mostValues) && !(old && !hasMoreValues(counted, countValues(before)))) {
            refuse("the record has more than " + mostValues + " values");
        }
        var size = letters(counted);
        var most = isReview ? limits.reviewedLetters : share * limits.letters;
        if (size > most && !(old && size <= letters(before))) {
            refuse("the record has more than " + most + " letters");
        }
        var files = digestsIn(record).length;
        if (files > share * limits.files && !(old && files <= digestsIn(old).length)) {
            refuse("the record refers to more than " + share * limits.files + " files");
        }
        checkNames(record, old, share);
        checkNoted(record, old, share);
        // A laptop takes what says so for a file, with everything that is in it.
        if (member(record, "@type") !== undefined) { refuse("the record itself is marked as a file, by its @type"); }
    }

    // A laptop sends each file under the names of all that it is in, and what others have attached under their names: with very
    // many of these it can send nothing of the record.
    function checkNames(record, old, share) {
        var most = share * limits.letters, length = pathLetters(record);
        if (length > most && !(old && length <= pathLetters(old))) {
            refuse("the record's files are behind names of more than " + most + " letters together");
        }
        var names = Object.keys(meta && meta.attachments || {});
        var namesBefore = Object.keys(old && old._attachments || {});
        if (sumOfLengths(names) > 2 * most && sumOfLengths(names) > sumOfLengths(namesBefore)) {
            refuse("the record's files are behind names of more than " + 2 * most + " letters together");
        }
        if (names.length > share * limits.fileNames && names.length > namesBefore.length) {
            refuse("the record has more than " + share * limits.fileNames + " names of files");
        }
    }

    function sumOfLengths(texts) { return texts.reduce(function (sum, text) { return sum + text.length; }, 0); }

    function pathLetters(record) {
        function letters(value, path) {
            if (isBlob(value)) { return path; }
            if (typeof value !== "object" || value === null) { return 0; }
            return Object.keys(value).reduce(function (sum, key) {
                return sum + letters(value[key], path + key.length + 1);
            }, 0);
        }
        return Object.keys(record).reduce(function (sum, key) {
            return key === "_attachments" ? sum : sum + letters(record[key], key.length);
        }, 0);
    }

    function withoutNotes(record, isReview) {
        var notes = ["fieldChanges"].concat(isReview ? ["approvedFindings", "approvedPhotos"] : []);
        var copy = Object.create(null);
        Object.keys(record).forEach(function (key) {
            if (!isOneOf(notes, key)) { copy[key] = record[key]; }
        });
        return copy;
    }

    function checkNoted(record, old, share) {
        function noted(version) { return {fieldChanges: version && member(version, "fieldChanges") || []}; }
        var now = noted(record), before = noted(old);
        var most = {values: share * limits.notedValues, letters: share * limits.notedLetters};
        if (hasMoreValues(now, most.values) && hasMoreValues(now, countValues(before))) {
            refuse("the record notes more than " + most.values + " values of who changed its fields");
        }
        if (letters(now) > Math.max(most.letters, letters(before))) {
            refuse("the record notes more than " + most.letters + " letters of who changed its fields");
        }
    }

    // The members of a record, and all that is in them, up to one more than this.
    function countValues(record, most) {
        var waiting = [record], count = 0;
        while (waiting.length > 0 && !(count > most)) {
            var value = waiting.pop();
            Object.keys(value).forEach(function (key) {
                count += 1;
                if (typeof value[key] === "object" && value[key] !== null) { waiting.push(value[key]); }
            });
        }
        return count;
    }
    function hasMoreValues(record, most) { return countValues(record, most) > most; }

    function letters(record) {
        return Object.keys(record).reduce(function (sum, key) {
            return key === "_attachments" ? sum : sum + key.length + JSON.stringify(record[key]).length;
        }, 0);
    }

    function isFlat(value, levels) {
        if (typeof value !== "object" || value === null) { return true; }
        if (levels <= 0) { return false; }
        return Object.keys(value).every(function (key) { return isFlat(value[key], levels - 1); });
    }

    // What laptops note themselves: lists of objects.
    function checkEntries(name, record, old) {
        var entries = member(record, name);
        if (isMissing(entries) || (Array.isArray(entries) && entries.every(isObject))
            || (old && isSame(entries, member(old, name)))) { return; }
        refuse("the record's " + name + " are not a list of values");
    }

    function checkPhotos(record, old) {
        var photos = member(record, "photos");
        if (isMissing(photos) || (Array.isArray(photos) && photos.every(isPhoto))) { return; }
        var before = old ? member(old, "photos") : undefined;
        if (Array.isArray(photos) && Array.isArray(before)) {
            var isKnown = sameAsOneOf(before);
            if (photos.every(function (photo) { return isPhoto(photo) || isKnown(photo); })) { return; }
        } else if (old && isSame(photos, before)) { return; }
        refuse("the record's photos are not a list of photos, each with a name and a blob");
    }

    // Whether a value is one of these, each of which is looked at once.
    function sameAsOneOf(values) {
        var known = Object.create(null);
        values.forEach(function (value) { known[JSON.stringify(canonical(value))] = true; });
        return function (value) { return known[JSON.stringify(canonical(value))] === true; };
    }

    // What a blob has besides goes along with its attachment, where some of it would be taken for the file: nobody could send the
    // record any more.
    function checkBlobMembers(record, old) {
        var wasThere = sameAsOneOf(old ? blobsIn(old) : []);
        blobsIn(record).forEach(function (blob) {
            var other = Object.keys(blob).filter(function (key) {
                return !isOneOf(["@type", "digest", "length", "content_type"], key);
            });
            if (other.length > 0 && !wasThere(blob)) {
                refuse("the record's files have more than a digest, a length and a type: " + shown(other[0]));
            }
        });
    }

    // A laptop takes no record over whose files it does not get: a digest of nothing would keep the record from all of
    // them. The gateway says what is attached to every record that refers to files; other gateways do not.
    function checkBlobs(record, old) {
        checkBlobMembers(record, old);
        if (!meta || !meta.attachments) { return; }
        Object.keys(meta.attachments).forEach(function (name) {
            if (meta.attachments[name].missing === true) {
                refuse("the gateway has only the name of the attachment " + name + ", not what is in it");
            }
        });
        var known = Object.create(null);
        attachedDigests(meta.attachments).concat(old ? lostDigests(old) : []).forEach(function (digest) {
            known[digest] = true;
        });
        var digests = digestsIn(record);
        digests.forEach(function (digest) {
            if (!known[digest]) { refuse("the record refers to a file that is not attached to it"); }
        });
        checkAttachments(record, old, sameAsOneOf(digests));
        checkBytes(old);
    }

    // A laptop takes a version with all of its files: what a colleague hangs on a record keeps its owner, and who reviews
    // it, from sending anything of it until all that is there.
    function checkBytes(old) {
        if (!old || isSupervisor || isWorkOfWriter(old)) { return; }
        var before = sizesIn(old._attachments, Object.create(null));
        var bytes = sum(sizesIn(meta.attachments, before));
        if (bytes > limits.megabytesByColleagues * 1000000 && bytes > sum(before)) {
            refuse("the files of the record have more than " + limits.megabytesByColleagues
                + " MB together, to which only its owner or a supervisor adds");
        }
    }

    // By digest. Of a file that was there before, who names it again may give any length.
    function sizesIn(attachments, before) {
        var sizes = Object.create(null);
        Object.keys(attachments || {}).forEach(function (name) {
            var file = attachments[name];
            sizes[file.digest] = Math.max(
                sizes[file.digest] || 0, before[file.digest] || 0, file.length || 0, file.encoded_length || 0);
        });
        return sizes;
    }
    function sum(sizes) {
        return Object.keys(sizes).reduce(function (total, key) { return total + sizes[key]; }, 0);
    }

    function checkAttachments(record, old, isReferredTo) {
        var wasAttached = sameAsOneOf(old ? attachedDigests(old._attachments) : []);
        Object.keys(meta.attachments || {}).forEach(function (name) {
            var digest = meta.attachments[name].digest;
            // Laptops take what is attached under a file's path for that file, whatever the record says.
            var blob = name.substring(0, 6) === "blob_/" ? valueAt(name.substring(6), record) : undefined;
            if (isBlob(blob) && blob.digest !== digest) {
                refuse("another file is attached as " + name + " than the record refers to");
            }
            // No laptop shows it, or could take it away.
            if (!isReferredTo(digest) && !wasAttached(digest)) {
                refuse("a file is attached that the record does not refer to");
            }
        });
    }

    // What is in a record under a path: photos/0/blob. The other way about, making the path of each value, the length of
    // names would be multiplied by the number of values.
    function valueAt(path, record) {
        return path.split("/").reduce(function (value, part) {
            var key = part.replace(/~1/g, "/").replace(/~0/g, "~");
            return typeof value === "object" && value !== null ? member(value, key) : undefined;
        }, record);
    }

    // Files that were missing before, which is no reason to refuse an edit.
    function lostDigests(old) {
        var wasAttached = sameAsOneOf(attachedDigests(old._attachments));
        return digestsIn(old).filter(function (digest) { return !wasAttached(digest); });
    }

    // Of the files that a record refers to.
    function digestsIn(record) { return blobsIn(record).map(function (blob) { return blob.digest; }); }

    function blobsIn(record) {
        var found = [];
        function look(value, isRecord) {
            if (isBlob(value)) { found.push(value); return; }
            if (typeof value !== "object" || value === null) { return; }
            Object.keys(value).forEach(function (key) {
                if (!(isRecord && key === "_attachments")) { look(value[key], false); }
            });
        }
        look(record, true);
        return found;
    }

    function isObject(value) { return typeof value === "object" && value !== null && !Array.isArray(value); }

    function member(record, key) {
        return Object.prototype.hasOwnProperty.call(record, key) ? record[key] : undefined;
    }

    // The same value for the same content, whatever the order of its members. An object without a prototype takes a
    // member of any name.
    function canonical(value) {
        if (isNumberAsText(value) || (typeof value === "number" && Math.abs(value) >= 9007199254740992)) {
            // In the record a text, and rounded in the one before.
            return {"a number": String(Number(value))};
        }
        if (Array.isArray(value)) { return value.map(canonical); }
        if (value === null || typeof value !== "object") { return value; }
        var sorted = Object.create(null);
        Object.keys(value).sort().forEach(function (key) { sorted[key] = canonical(value[key]); });
        return sorted;
    }

    // The same content, whatever the order of its members.
    function isSame(one, other) {
        if (isObject(one) && isObject(other)) {
            var keys = Object.keys(one);
            return keys.length === Object.keys(other).length
                && keys.every(function (key) { return isSame(member(one, key), member(other, key)); });
        }
        if (Array.isArray(one) && Array.isArray(other)) {
            return one.length === other.length
                && one.every(function (element, index) { return isSame(element, other[index]); });
        }
        return one === other || isRounded(one, other) || isRounded(other, one);
    }

    // A number that no double holds comes as a text in the record, and rounded in the one before: 9007199254740993, 1e999.
    function isRounded(text, number) {
        return typeof text === "string" && typeof number === "number" && Math.abs(number) >= 9007199254740992
            && /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.test(text) && Number(text) === number;
    }

    // Nothing of a photo that was approved changes: neither its name, nor its caption, nor when it was taken.
    function keepsPhotos(record, old) {
        return photosOf(old).every(sameAsOneOf(photosOf(record)));
    }

    function photosOf(record) { return Array.isArray(record.photos) ? record.photos.filter(isObject) : []; }

    // What is attached is no part of the record, but a photo that is not attached is lost.
    function attachedDigests(attachments) {
        return Object.keys(attachments || {}).map(function (name) { return attachments[name].digest; });
    }

    // Whether all else is as it was, but for what laptops and gateways note with every change.
    function changesOnly(names, record, old) {
        var open = names.concat(["fieldChanges", "changedBy", "changedAt", "device",
            "_id", "_rev", "_revisions", "_attachments", "_exp", "_deleted"]);
        return Object.keys(record).concat(Object.keys(old)).every(function (key) {
            if (isOneOf(open, key)) { return true; }
            return key === "channels" ? hasSameChannels(record, old) : isSame(member(record, key), member(old, key));
        });
    }

    // In whatever order.
    function hasSameChannels(record, old) {
        var before = channelsOf(old), now = channelsOf(record);
        return without(now, before).concat(without(before, now)).length === 0;
    }

    // What a laptop adds to an approved inspection when it has merged the approval with an edit: the values that are
    // open, and photos. All else is as it was approved.
    function checkApproved(record, old) {
        var attached = meta && meta.attachments && sameAsOneOf(attachedDigests(meta.attachments));
        var wasAttached = sameAsOneOf(attachedDigests(old._attachments));
        var hasFiles = !attached || photosOf(old).every(function (photo) {
            var digest = isObject(photo.blob) && photo.blob.digest;
            return attached(digest) || !wasAttached(digest);
        });
        if (!hasFiles) { refuse("only a supervisor takes a file from what is approved"); }
        if (!keepsPhotos(record, old)) { refuse("only a supervisor changes a photo of what is approved"); }
        if (!changesOnly(["conflicts", "photos"], record, old)) {
            refuse("only a supervisor changes what is approved");
        }
    }

    // A laptop that unites two versions of a record brings along what a supervisor's has noted.
    function checkNotes(record, old) {
        function isKept(key) {
            var value = member(record, key), before = old ? member(old, key) : null;
            return isSame(isMissing(value) ? null : value, isMissing(before) ? null : before);
        }
        if (!isKept("approvedFindings")) { refuse("only a supervisor notes which findings were approved"); }
        if (!isKept("approvedPhotos")) { refuse("only a supervisor notes which photos were approved"); }
        if (record.type === "inspection" && !isKept("review")) { refuse("only a supervisor says why it is returned"); }
    }

    // What is asked about a record is in its "conflicts" until somebody has decided. A merge adds to that, and takes away
    // only what the version here has not got any more either.
    function checkQuestions(record, old) {
        if (isSupervisor || (record.type === "assignment" && isWriter(old.createdBy))) { return; }
        var isAsked = sameAsOneOf(questions(record).map(question));
        var isOpen = sameAsOneOf(openFields(record, old));
        var isKept = questions(old).every(function (entry) {
            return !isOfSupervisors(entry, record, old) || isAsked(question(entry))
                || !(isDeletionAsked(entry) || isOpen(askedField(entry)));
        });
        if (!isKept) { refuse("only a supervisor decides what supervisors are asked about"); }
    }

    // Laptops take a field for decided of which every value is the one that the record has.
    function openFields(record, old) {
        return questions(old).filter(function (entry) {
            var value = member(entry, "value"), present = presentValue(askedField(entry), record);
            return !isSame(isMissing(value) ? null : value, isMissing(present) ? null : present);
        }).map(askedField);
    }

    function presentValue(field, record) {
        return [].concat(field).reduce(function (value, name) {
            return isObject(value) && isString(name) ? member(value, name) : undefined;
        }, record);
    }

    function questions(record) {
        var entries = member(record, "conflicts");
        return Array.isArray(entries) ? entries.filter(isObject) : [];
    }

    // The same one, whoever gave the value, and when.
    function question(entry) {
        if (isDeletionAsked(entry)) { return "deletion"; }
        var value = member(entry, "value");
        return [askedField(entry), isMissing(value) ? null : value];
    }

    function isDeletionAsked(entry) { return member(entry, "deleted") === true && isMissing(member(entry, "field")); }

    function askedField(entry) {
        var field = member(entry, "field");
        return Array.isArray(field) && field.length === 1 ? field[0] : field;
    }

    // A state that was current is gone where the record has gone on: what was returned is handed in again.
    function isOfSupervisors(entry, record, old) {
        var field = askedField(entry), value = member(entry, "value");
        var hasGoneOn = field === "status" && value === old.status && record.status !== old.status;
        if (record.type === "inspection") {
            return field === "review" || (field === "status" && isOneOf(["approved", "returned"], value) && !hasGoneOn);
        }
        if (record.type !== "assignment") { return false; }
        if (field === "status") { return value === "dropped" && !hasGoneOn && record.status !== "done" && !isDone(old); }
        return isDeletionAsked(entry) || (!isMissing(field) && field !== "inspection");
    }

    // As somebody says. Whether that is so is for the inspector to decide.
    function isDone(assignment) {
        return assignment.status === "done" || questions(assignment).some(function (entry) {
            return askedField(entry) === "status" && member(entry, "value") === "done";
        });
    }

    // A colleague may hand in what was left open. What somebody handed in, and when, is theirs.
    function checkSubmission(record, old) {
        if (record.type !== "inspection" || !old || isWorkOfWriter(old)) { return; }
        if (old.status === "submitted" && record.status !== "submitted") {
            refuse("only a supervisor, or the one whose it is, takes back what was submitted");
        }
        checkSubmitter(record, old);
        var isHandedIn = record.status === "submitted" && old.status !== "submitted";
        if (!isHandedIn && !isSame(member(record, "submittedAt"), member(old, "submittedAt"))) {
            refuse("when an inspection of somebody else was submitted does not change");
        }
    }

    // Everybody hands in an inspection of somebody else in their own name, supervisors, too: its laptops show who did. A supervisor
    // who takes an approval or a return back leaves it to the one who had handed it in, whom nobody can look up here.
    function checkSubmitter(record, old) {
        if (isOffice || record.type !== "inspection" || !old || record.status !== "submitted" || isWorkOfWriter(old)) { return; }
        var last = reviews(record).slice(-1)[0];
        var isOfWriter = last !== undefined && isWriter(last.by);
        if (old.status !== "submitted") {
            var isTakenBack = isSupervisor && isOneOf(["approved", "returned"], old.status);
            if (!isOfWriter && !isTakenBack) { refuse("the record is submitted, and does not say by whom"); }
        } else if (!(isSupervisor && isOfWriter) && !isSame(reviews(record), reviews(old))) {
            refuse("the record says that somebody else " + record.status + " it");
        }
    }

    // Who hands in an inspection hands in its photos. Their names and captions stay open: who types them without a network need not
    // know yet that it is handed in. Whether the inspection of a finding is, nobody can see here, so each finding keeps its own.
    function checkPhotosOfOthers(record, old) {
        if (!old || isWorkOfWriter(old)) { return; }
        var isSubmitted = record.type === "inspection" && old.status === "submitted";
        if (!isSubmitted && record.type !== "finding") { return; }
        var isThere = sameAsOneOf(photoDigests(record));
        if (photoDigests(old).every(isThere)) { return; }
        if (isSubmitted) { refuse("only a supervisor takes a photo from what somebody else has submitted"); }
        refuse("only a supervisor takes a photo from a finding of somebody else");
    }

    function photoDigests(record) {
        return photosOf(record).map(function (photo) { return member(photo, "blob"); }).filter(isBlob)
            .map(function (blob) { return blob.digest; });
    }

    // Laptops show who approved or returned an inspection, when, and on which device, by what it notes of its fields. A
    // supervisor says that of themselves; what others have said is brought along as it is.
    function checkReviewers(record, old) {
        if (isOffice || record.type !== "inspection" || !isOneOf(["approved", "returned"], record.status)) { return; }
        var now = reviews(record);
        var before = old && old.status === record.status ? reviews(old) : [];
        var ofOthers = now.filter(function (review) { return !isSupervisor || !isWriter(review.by); });
        // What is new with such a state was imported, by its creator.
        if (now.length === 0 && old && old.status !== record.status) {
            refuse("the record is " + record.status + ", and does not say by whom");
        }
        // Laptops read the last one.
        var isKept = isSupervisor || isSame(now.slice(-1), before.slice(-1));
        if (isKept && ofOthers.every(sameAsOneOf(before))) { return; }
        var names = sameAsOneOf(before.map(function (review) { return review.by; }));
        if (ofOthers.length > 0 && ofOthers.every(function (review) { return names(review.by); })) {
            refuse("the record says that it was " + record.status + " at another time, or on another device");
        }
        refuse("the record says that somebody else " + record.status + " it");
    }

    // Who, when and where. Of the writer only that: a laptop notes all that a person has changed there with one moment.
    function reviews(record) {
        var entries = member(record, "fieldChanges");
        return (Array.isArray(entries) ? entries : []).filter(function (entry) {
            return isObject(entry) && Array.isArray(member(entry, "fields")) && isOneOf(entry.fields, "status");
        }).map(function (entry) {
            var by = isString(member(entry, "by")) ? entry.by : "";
            if (isWriter(by)) { return {by: by}; }
            var device = member(entry, "device");
            return {by: by, at: moment(member(entry, "at")), device: isString(device) ? device : ""};
        });
    }

    // As laptops spell it, to the second; "" for what they do not read. The fraction is looked for once: a pattern that
    // begins anywhere would look from each point of a text of points.
    function moment(value) {
        if (!isString(value)) { return ""; }
        var point = value.indexOf(".");
        var whole = point >= 0 && /^\.[^Z]*Z$/.test(value.substring(point)) ? value.substring(0, point) + "Z" : value;
        return isMoment(whole) ? whole : "";
    }

    // A status that stays as it is passes: an inspector's laptop brings a supervisor's approval along when it has
    // united the two versions of a record.
    function checkStatus(record, old) {
        var before = old ? old.status : undefined;
        if (record.status !== before && record.status !== undefined) {
            if (!isText(record.status)) { refuse("the record's status is not a text"); }
            if (!isOneOf(statuses[record.type] || [], record.status)) {
                refuse("the status " + record.status + " is none of " + record.type + " records");
            }
        }
        var isReview = record.status !== before && isOneOf(["approved", "returned"], record.status);
        if (isReview && !isSupervisor) { refuse("only a supervisor approves or returns inspections"); }
        checkReviewers(record, old);
        if (isSupervisor) { return checkSubmitter(record, old); }
        if (before === "approved") {
            if (record.status !== before) { refuse("only a supervisor takes an approval back"); }
            checkApproved(record, old);
        }
        checkNotes(record, old);
        checkSubmission(record, old);
        checkPhotosOfOthers(record, old);
    }

    // Who has made the visit on a laptop without a network, while it was given to somebody else, says so and changes
    // nothing else: or it is made twice.
    function isDoneInstead(record, old) {
        return old.status === "open" && record.status === "done" && isText(record.inspection)
            && isMissing(member(old, "inspection"))
            && changesOnly(["status", "inspection"], rewritten(record), rewritten(old));
    }

    // As laptops write an assignment again: without what is null, and days in one spelling. When it was created says
    // nothing of what is to be done.
    function rewritten(record) {
        var copy = Object.create(null);
        Object.keys(record).forEach(function (key) {
            if (isMissing(record[key]) || isOneOf(["schema", "createdAt"], key)) { return; }
            copy[key] = key === "due" && isDay(record.due) ? record.due.replace(/-/g, "") : record[key];
        });
        return copy;
    }

    // An assignment belongs to the user who assigned it. The inspector says that it is done, and takes that back. A
    // visit that was made counts, also where it was dropped meanwhile.
    function checkAssignment(record, old) {
        if (!old) { refuse("only a supervisor assigns work"); }
        if (isWriter(old.createdBy)) { return; }
        if (!isWriter(inspector(old)) && !isDoneInstead(record, old)) { refuse("the assignment is somebody else's"); }
        if (record.status !== old.status && !isOneOf(["open", "done"], record.status)) {
            refuse("only a supervisor drops what was assigned");
        }
        if (old.status === "dropped" && record.status === "open") {
            refuse("only a supervisor assigns again what was dropped");
        }
        if (!changesOnly(["status", "inspection", "conflicts"], rewritten(record), rewritten(old))) {
            refuse("only a supervisor changes what was assigned");
        }
    }

    function checkAssigned(record, old) {
        if (isSupervisor) { return; }
        // Who names themselves would have a say in a record of somebody else.
        if (old && inspector(record) !== inspector(old)) {
            // What somebody else has been doing is not taken from them.
            var isOfOther = inspector(old) !== "" && !isWriter(inspector(old));
            if (record.type === "assignment" || !belongsToWriter(old) || isOfOther) {
                refuse("only a supervisor hands work to somebody else");
            }
        }
        if (record.type === "assignment") { checkAssignment(record, old); }
        // A finding goes with its inspection: where that is not here, nobody sees it.
        if (record.type === "finding" && old && record.inspection !== old.inspection && !belongsToWriter(old)) {
            refuse("only a supervisor moves a finding of somebody else to another inspection");
        }
    }

    // Anything else of that name is an ordinary member.
    var old = oldDoc && oldDoc._deleted !== true ? oldDoc : null;
    if (doc._deleted === true) {
        // What is not here may be deleted by every user: it never came here, or is deleted already. Laptops would otherwise keep
        // deletions that they can never send.
        if (old && !isAdmin) {
            checkStored(old);
            checkDeletion(old);
        }
        if (!isAdmin) {
            checkContentOfDeletion(doc);
            checkCreatorOfDeletion(doc, old, !oldDoc);
        }
        if (!oldDoc && !isAdmin) { checkNewID(doc._id, "deletes what is not here"); }
        announceDeletion(doc, old);
        return;
    }
    checkChannels(doc);
    if (!isAdmin) {
        if (old) { checkStored(old); } else { checkID(doc._id); }
        checkKind(doc, old);
        // What is brought back over a deletion keeps its id.
        if (!oldDoc) { checkNewID(doc._id, "adds records"); }
        checkMove(doc, old);
        checkCreator(doc, old);
        checkChanger(doc, old);
        checkMembers(doc, old);
        checkStatus(doc, old);
        if (old) { checkQuestions(doc, old); }
        checkAssigned(doc, old);
        checkExpiry();
    }
    channel(doc.channels);
}
