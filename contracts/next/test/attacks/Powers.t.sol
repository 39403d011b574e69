// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "./AttackTest.sol";

/// @dev Every privileged call of powers.md, and every call that only contracts of the market may make, made as everybody
/// else: each is refused with its own error. And ownership passes only when it is taken.
contract PowersTest is AttackTest {
    struct Power {
        address target;
        bytes data;
        address holder;
        bytes4 refusal;
    }

    uint96 private constant CAP = 50_000_000e18;
    address private next = makeAddr("next");
    Power[] private powers;
    /// @dev So many of them belong to people, the others to contracts.
    uint256 private ofPeople;
    address[] private owned;

    function launchCap() internal pure override returns (uint96) {
        return CAP;
    }

    function setUp() public override {
        super.setUp();
        uint256 taskId = escalated();
        uint256 ofArbitrator = assigned();
        owned = [address(registry), address(policy), address(staking), address(court), address(feed)];
        courtAs(owner).scheduleFallback(next);
        addOwners();
        bytes4 refusal = IDisputeCourt.NotArbitrator.selector;
        bytes memory ruling = abi.encodeCall(court.resolveDispute, (taskId, BPS, REASON, REASON_URI));
        power(address(court), ruling, fallbackArbitrator, refusal);
        ruling = abi.encodeCall(court.resolveDispute, (ofArbitrator, BPS, REASON, REASON_URI));
        power(address(court), ruling, arbitrator, refusal);
        power(address(court), abi.encodeCall(court.acceptFallback, ()), next, IMarketErrors.NotAuthorized.selector);
        bytes memory publishing = abi.encodeCall(feed.publish, (500_001));
        power(address(feed), publishing, publisher, PostedPriceFeed.NotPublisher.selector);
        ofPeople = powers.length;
        addContracts(taskId);
    }

    function test_everyPowerIsRefusedToEverybodyElse() public {
        address[22] memory everybody = [
            owner,
            treasury,
            fallbackArbitrator,
            publisher,
            stranger,
            poster,
            worker,
            rival,
            arbitrator,
            next,
            address(this),
            address(tok),
            address(usdc),
            address(feed),
            address(policy),
            address(paymentGateway),
            address(deposits),
            address(escrow),
            address(registry),
            address(court),
            address(staking),
            address(reputation)
        ];
        for (uint256 index = 0; index < powers.length; ++index) {
            for (uint256 caller = 0; caller < everybody.length; ++caller) {
                if (isHolder(powers[index], everybody[caller])) continue;
                vm.prank(everybody[caller]);
                (bool ok, bytes memory answer) = powers[index].target.call(powers[index].data);
                string memory name = string.concat(
                    "power ",
                    vm.toString(index),
                    " of ",
                    vm.toString(everybody[caller])
                );
                assertFalse(ok, name);
                assertEq(answer, abi.encodeWithSelector(powers[index].refusal, everybody[caller]), name);
            }
        }
    }

    /// @dev The powers that people hold are real, so that the refusals above mean something.
    function test_everyHolderCanUseItsPower() public {
        for (uint256 index = 0; index < ofPeople; ++index) {
            uint256 snapshot = vm.snapshotState();
            skip(1 hours);
            vm.prank(powers[index].holder);
            (bool ok, ) = powers[index].target.call(powers[index].data);
            assertTrue(ok, string.concat("power ", vm.toString(index)));
            vm.revertToState(snapshot);
        }
    }

    /// @dev Every owner has named the next one; until that one accepts, the old one can do all it could.
    function test_ownershipPassesOnlyWhenTaken() public {
        for (uint256 index = 0; index < owned.length; ++index) {
            Ownable2Step target = Ownable2Step(owned[index]);
            address before = target.owner();
            assertTrue(before != next, "the owner before the taking");
            vm.prank(next);
            target.acceptOwnership();
            assertEq(target.owner(), next, "the owner after it");
            vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, before));
            vm.prank(before);
            target.transferOwnership(before);
        }
    }

    function test_theCapOnlyRises() public {
        ITaskRegistry.PostParams memory params = postParams();
        params.totalAmount = CAP + 1;
        expectBadMilestones("amount");
        registryAs(poster).postTask(params);
        expectBadTerms("maxMilestone");
        registryAs(owner).raiseMaxMilestone(CAP);
        vm.expectEmit(address(registry));
        emit ITaskRegistry.MaxMilestoneRaised(CAP + 1);
        registryAs(owner).raiseMaxMilestone(CAP + 1);
        registryAs(poster).postTask(params);
        expectBadTerms("maxMilestone");
        registryAs(owner).raiseMaxMilestone(CAP);
    }

    function test_aPauseEndsByItself() public {
        uint256 taskId = posted();
        registryAs(owner).setEntriesPaused(true);
        uint64 until = clock() + 14 days;
        registryAs(poster).extendDeadline(taskId, clock() + 30 days);
        vm.warp(until);
        bytes32 digest = registry.openDigest(taskId, worker);
        expectEntriesArePaused();
        registryAs(worker).claimTask(taskId, digest);
        skip(1);
        assertFalse(registry.entriesPaused());
        registryAs(worker).claimTask(taskId, digest);
    }

    function addOwners() private {
        ofOwner(address(registry), abi.encodeCall(registry.setEntriesPaused, (true)));
        ofOwner(address(registry), abi.encodeCall(registry.raiseMaxMilestone, (CAP + 1)));
        ofOwner(address(policy), abi.encodeCall(policy.setPlan, ("free", 1, 0, 0, false)));
        ofOwner(address(staking), abi.encodeCall(staking.activate, ()));
        ofOwner(address(staking), abi.encodeCall(staking.closeCreditIssuance, ()));
        ofOwner(address(court), abi.encodeCall(court.scheduleFallback, (rival)));
        bytes memory cheaper = abi.encodeCall(paymentGateway.setAccessFee, (FEE / 2));
        power(address(paymentGateway), cheaper, owner, IMarketErrors.NotAuthorized.selector);
        ofOwner(address(feed), abi.encodeCall(feed.setPublisher, (rival, true)));
        for (uint256 index = 0; index < owned.length; ++index) {
            vm.prank(Ownable(owned[index]).owner());
            Ownable(owned[index]).transferOwnership(next);
            ofOwner(owned[index], abi.encodeCall(Ownable.transferOwnership, (rival)));
            ofOwner(owned[index], abi.encodeCall(Ownable.renounceOwnership, ()));
            bytes memory accepting = abi.encodeCall(Ownable2Step.acceptOwnership, ());
            power(owned[index], accepting, next, Ownable.OwnableUnauthorizedAccount.selector);
        }
    }

    function addContracts(uint256 taskId) private {
        // The term of the fixture's fallback is in force, so that nobody can use this one here.
        ofOwner(address(court), abi.encodeCall(court.cancelFallback, ()));
        SettlementKind kind = SettlementKind.MUTUAL;
        bytes memory settling = abi.encodeCall(registry.settleDispute, (taskId, kind, 0, rival));
        power(address(registry), settling, address(court), ITaskRegistry.NotCourt.selector);
        bytes memory opening = abi.encodeCall(court.open, (taskId, poster, worker, 1, 1));
        power(address(court), opening, address(registry), IDisputeCourt.NotRegistry.selector);
        ofRegistry(address(deposits), abi.encodeCall(deposits.lockBond, (poster)));
        ofRegistry(address(deposits), abi.encodeCall(deposits.unlockBond, (poster)));
        ofRegistry(address(deposits), abi.encodeCall(deposits.slashBond, (poster, rival, 1)));
        ofRegistry(address(escrow), abi.encodeCall(escrow.fund, (taskId, poster, 1)));
        ofRegistry(address(escrow), abi.encodeCall(escrow.release, (taskId, rival, 1)));
        ofRegistry(address(escrow), abi.encodeCall(escrow.refundBeyond, (taskId, rival, 0)));
        ofRegistry(address(escrow), abi.encodeCall(escrow.refundAll, (taskId, rival)));
        ofRegistry(
            address(paymentGateway),
            abi.encodeCall(paymentGateway.collectAccessFee, (poster, FeeAction.POST, taskId))
        );
        ofRegistry(address(reputation), abi.encodeCall(reputation.bump, (rival, RepKind.COMPLETED)));
        bytes4 refusal = IMarketErrors.NotAuthorized.selector;
        power(address(paymentGateway), abi.encodeCall(paymentGateway.pull, (poster, 1)), address(escrow), refusal);
        power(address(staking), abi.encodeCall(staking.addReward, (1)), address(paymentGateway), refusal);
        power(address(staking), abi.encodeCall(staking.consumeCredits, (poster, 0)), address(paymentGateway), refusal);
    }

    function ofOwner(address target, bytes memory data) private {
        power(target, data, Ownable(target).owner(), Ownable.OwnableUnauthorizedAccount.selector);
    }

    function ofRegistry(address target, bytes memory data) private {
        power(target, data, address(registry), IMarketErrors.NotAuthorized.selector);
    }

    function power(address target, bytes memory data, address holder, bytes4 refusal) private {
        powers.push(Power(target, data, holder, refusal));
    }

    /// @dev Court and staking pull as well, each to itself.
    function isHolder(Power memory one, address caller) private view returns (bool) {
        bool pulls = caller == address(court) || caller == address(staking);
        return caller == one.holder || (pulls && bytes4(one.data) == paymentGateway.pull.selector);
    }
}
